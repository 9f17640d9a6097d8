/**
 * Keeps a second process away from the folder of a member.
 *
 * Guaranteed: of two processes on one machine, one gets the lock. The kernel frees it when the process ends, however it ends;
 * a stopped process keeps it. Does not guard a folder that two machines share.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HustingsError } from '../../errors/hustings-error.ts';
import { ListenError, tryListen } from '../../http/listen.ts';
import { listenOnSocket } from '../../http/listen-on-socket.ts';

/** Another process runs as this member. */
export class MemberRunsError extends HustingsError {
  constructor(id: number, folder: string, cause: unknown) {
    super(
      `a process that runs as member ${id} uses ${folder} already; stop it, or give this member another folder`,
      {
        code: 'HUSTINGS_MEMBER_RUNS',
        cause,
      },
    );
  }
}

/** A path of a socket must be short, and a folder may not be. */
const MOST_PATH_BYTES = 96;

/** Resolves with the function that frees the folder. */
export async function lockFolder(folder: string, id: number): Promise<() => void> {
  const server = createServer();
  const path = lockPath(realpathSync(folder));
  if (process.platform === 'win32') {
    const error = await tryListen(server, { path });
    if (error !== null) throw new MemberRunsError(id, folder, error);
    return () => void server.close();
  }
  try {
    const remove = await listenOnSocket(server, path);
    server.unref();
    return () => {
      remove();
      server.close();
    };
  } catch (error) {
    if (error instanceof ListenError && / is in use/.test(error.message)) {
      throw new MemberRunsError(id, folder, error);
    }
    throw error;
  }
}

function lockPath(folder: string): string {
  const name = `hustings-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const inside = join(folder, 'lock');
  return Buffer.byteLength(inside) <= MOST_PATH_BYTES ? inside : join(tmpdir(), `${name}.lock`);
}
