import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where leases are kept if nobody says otherwise: one file a user, on this host. */
export function defaultStoreUrl(env: NodeJS.ProcessEnv = process.env): string {
  const given = env.XDG_STATE_HOME ?? '';
  // By its specification a relative path in this variable is to be ignored.
  const folder = isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return `sqlite:${join(folder, 'hustings', 'leases.db')}`;
}
