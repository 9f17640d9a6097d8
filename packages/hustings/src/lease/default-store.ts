/**
 * The default store: one SQLite file per user, on this host. In a container each container has its own file, and each would
 * elect itself; on a tmpfs the tokens begin again after a restart.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { mountKind } from './stores/sqlite/file-system.ts';

let hasWarned = false;

/** The URL of the default store. The process warns once if other candidates are unlikely to share the file. */
export function defaultStoreUrl(env: NodeJS.ProcessEnv = process.env): string {
  const why = hasWarned ? null : whyPrivate(env);
  if (why !== null) {
    hasWarned = true;
    process.emitWarning(`${privateStoreText(env, why)}; pass the URL of a store that all candidates share`, {
      code: 'HUSTINGS_PRIVATE_STORE',
    });
  }
  return userStoreUrl(env);
}

/** The same without a warning. */
export function userStoreUrl(env: NodeJS.ProcessEnv): string {
  return `sqlite:${userStoreFile(env)}`;
}

function userStoreFile(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_STATE_HOME ?? '';
  // The XDG specification requires that a relative path in this variable is ignored.
  const folder = isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return join(folder, 'hustings', 'leases.db');
}

/** The first half of a message; `why` is from `whyPrivate`. */
export function privateStoreText(env: NodeJS.ProcessEnv, why: string): string {
  return `the default store is ${userStoreFile(env)}, and ${why}`;
}

/** Why other candidates are unlikely to share the default store; null if nothing indicates it. */
export function whyPrivate(env: NodeJS.ProcessEnv = process.env): string | null {
  const folder = existingFolder(dirname(userStoreFile(env)));
  return whyPrivateBy(folder, { env, exists: existsSync, mounts: readMounts() });
}

/** What the decision depends on. */
export interface HostFacts {
  readonly env: NodeJS.ProcessEnv;
  readonly exists: (path: string) => boolean;
  /** The content of /proc/self/mountinfo; empty where there is none. */
  readonly mounts: string;
}

/** The decision about a file in `folder`. */
export function whyPrivateBy(folder: string, { env, exists, mounts }: HostFacts): string | null {
  const kind = mountKind(folder, mounts);
  if (kind === 'tmpfs' || kind === 'ramfs') return `it is on a ${kind}, which a restart empties`;
  if (env.KUBERNETES_SERVICE_HOST) return 'other Kubernetes pods do not share it';
  if (exists('/.dockerenv')) return 'other Docker containers do not share it';
  if (exists('/run/.containerenv')) return 'other Podman containers do not share it';
  return mountKind('/', mounts) === 'overlay'
    ? 'other containers do not share it (the root file system is an overlay)'
    : null;
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

/** The deepest folder of a path that exists, without symbolic links. */
function existingFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : existingFolder(dirname(path));
  }
}
