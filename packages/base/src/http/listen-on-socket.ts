/**
 * Listens on a Unix-domain socket that only the user of this process can reach.
 *
 * Guaranteed: the path appears when the server listens already; a process never takes or removes the socket of another one
 * that listens; a socket that a killed process left behind is replaced.
 *
 * Node removes the path of a server when it closes, also if another process has its socket there by then. Therefore the server
 * listens at a name of its own, which is linked to the path. A link fails if the path exists.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { ListenError, tryListen } from './listen.ts';

/** The shortest limit of the supported systems, 103 bytes on macOS, less the suffix of the own name. */
const MAX_PATH_BYTES = 96;

/** Resolves with the function that removes the path. Call it before the server closes. */
export async function listenOnSocket(server: Server, path: string): Promise<() => void> {
  // A longer path is cut off silently.
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new ListenError(
      `the socket ${path} has a path of more than ${MAX_PATH_BYTES} bytes; use a shorter one`,
    );
  }
  const own = `${path}.${randomBytes(3).toString('hex')}`;
  try {
    await listenPrivately(server, own);
    while (!isLinked(own, path)) await removeStale(path, `${own}-stale`);
    unlinkSync(own);
  } catch (error) {
    // Removes the own name as well.
    server.close();
    throw errorOf(path, error as NodeJS.ErrnoException);
  }
  // The server keeps the inode, so that its number is not used again.
  const { dev, ino } = identityOf(path)!;
  return () => {
    const found = identityOf(path);
    if (found?.dev === dev && found.ino === ino) unlinkSync(path);
  };
}

/** The mask keeps others out from the first moment. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const mask = process.umask(0o177);
  const listening = tryListen(server, { path });
  process.umask(mask);
  const error = await listening;
  if (error !== null) throw error;
  chmodSync(path, 0o600);
}

function isLinked(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the path if nobody listens there, and throws if somebody does. `aside`: a name for the socket meanwhile. */
async function removeStale(path: string, aside: string): Promise<void> {
  const found = identityOf(path);
  if (found === null) return;
  if (!found.isSocket()) {
    throw new ListenError(`${path} exists and is not a socket; remove it, or use another path`);
  }
  if (await answers(path)) throw new ListenError(`the socket ${path} is in use; use another one`);
  const isSame = (other: ReturnType<typeof identityOf>): boolean =>
    other?.dev === found.dev && other.ino === found.ino && other.mtimeNs === found.mtimeNs;
  // Another process may have replaced it meanwhile.
  if (!isSame(identityOf(path))) return;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // If another process has bound the path between the two calls, restore its socket.
  if (!isSame(identityOf(aside))) isLinked(aside, path);
  unlinkSync(aside);
}

function identityOf(path: string) {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (isAnswered: boolean): void => {
      socket.destroy();
      resolve(isAnswered);
    };
    socket.once('connect', () => end(true));
    // Only a refusal proves that nobody listens.
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}

function errorOf(path: string, error: NodeJS.ErrnoException): ListenError {
  if (error instanceof ListenError) return error;
  // The error code is no help here: libuv reports ENOENT as EACCES.
  return !existsSync(dirname(path))
    ? new ListenError(
        `the folder of the socket ${path} does not exist; create it, or use another path`,
        error,
      )
    : new ListenError(`the socket ${path} cannot be used (${error.code}); use another path`, error);
}
