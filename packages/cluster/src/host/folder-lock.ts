/**
 * Keeps a second process away from the folder of a member.
 *
 * Guaranteed: of two processes on one machine, one gets the lock. The kernel frees it when the process ends, however it ends;
 * a stopped process keeps it. Does not guard a folder that two machines share.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { HustingsError, InputError } from '@hustings/base';
import { ListenError, listenOnSocket, tryListen } from '@hustings/base/http';

/** Another process runs as this member. */
export class MemberRunsError extends HustingsError {
  constructor(id: number, folder: string, cause: unknown) {
    super(`another process uses the folder ${folder} already; stop it, or give member ${id} another folder`, {
      code: 'HUSTINGS_MEMBER_RUNS',
      cause,
    });
  }
}

/** A path of a socket must be short, and a folder may not be. */
const MAX_PATH_BYTES = 96;

/** Resolves with the function that frees the folder. */
export async function lockFolder(folder: string, id: number): Promise<() => void> {
  const server = createServer();
  const real = realpathSync(folder);
  if (process.platform === 'win32') {
    const error = await tryListen(server, { path: pipeOf(real) });
    if (error !== null) throw new MemberRunsError(id, folder, error);
    return () => void server.close();
  }
  const lock = join(real, 'lock');
  const { close, path } = Buffer.byteLength(lock) <= MAX_PATH_BYTES ? named(lock) : shortened(real);
  try {
    const remove = await listenOnSocket(server, path);
    server.unref();
    // Until then Node removes what it has bound, by this path. Once, because the number of a descriptor is used again.
    server.once('close', close);
    return () => {
      remove();
      server.close();
    };
  } catch (error) {
    close();
    if (!(error instanceof ListenError)) throw error;
    if (/ is in use/.test(error.message)) throw new MemberRunsError(id, folder, error);
    throw new ListenError(error.message.replaceAll(path, lock), error);
  }
}

interface SocketPath {
  readonly path: string;
  /** To be called when nothing needs the path any more. */
  close(): void;
}

const named = (path: string): SocketPath => ({ path, close: () => undefined });

/**
 * The lock must be in the folder: at another place, such as that for temporary files, a process with other settings would not
 * find it. On Linux a descriptor of the folder is a short path to it.
 */
function shortened(folder: string): SocketPath {
  if (existsSync('/proc/self/fd')) {
    const folderFd = openSync(folder, 'r');
    return { path: `/proc/self/fd/${folderFd}/lock`, close: () => closeSync(folderFd) };
  }
  throw new InputError(
    `the folder of a member must have a path of at most ${MAX_PATH_BYTES - '/lock'.length} bytes, and ${folder} has ${Buffer.byteLength(folder)}; use another folder`,
  );
}

function pipeOf(folder: string): string {
  return `\\\\.\\pipe\\hustings-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}
