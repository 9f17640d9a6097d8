import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The default store: one SQLite file per user, on this host. */
export function defaultStoreUrl(env: NodeJS.ProcessEnv = process.env): string {
  const given = env.XDG_STATE_HOME ?? '';
  // The XDG specification requires that a relative path in this variable is ignored.
  const folder = isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return `sqlite:${join(folder, 'hustings', 'leases.db')}`;
}
