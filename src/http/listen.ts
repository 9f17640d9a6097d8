/** Listens on loopback or on a Unix-domain socket, and closes a server with everything that it has open. */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { HustingsError } from '../errors/hustings-error.ts';

/** A server cannot listen: no port is free, or the path of its socket cannot be used. */
export class ListenError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_LISTEN', cause });
  }
}

export const LOOPBACK = '127.0.0.1';
/** The shortest limit of the supported systems, that of macOS. */
const MOST_PATH_BYTES = 103;
/** How long requests may take to end after `closeServer`. */
const CLOSE_GRACE_MS = 1_000;

/** Resolves with the port: the first free one of `tries` ports from `first`; any with 0. */
export async function listenOnLoopback(server: Server, first: number, tries = 1): Promise<number> {
  const last = first === 0 ? 0 : Math.min(first + tries - 1, 65_535);
  for (let port = first; port <= last; port++) {
    const error = await tryListen(server, { port, host: LOOPBACK });
    if (error === null) return (server.address() as AddressInfo).port;
    if (error.code !== 'EADDRINUSE') {
      throw new ListenError(`port ${port} cannot be used (${error.code}); use another one`, error);
    }
  }
  const which = first === last ? `port ${first} is` : `the ports ${first} to ${last} are`;
  throw new ListenError(`${which} in use; use another one, or 0 for any`);
}

/** Only the user of this process can connect. A socket that a killed process left behind is replaced. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  // A longer path is cut off silently.
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) {
    throw new ListenError(
      `the socket ${path} has a path of more than ${MOST_PATH_BYTES} bytes; use a shorter one`,
    );
  }
  let error = await listenPrivately(server, path);
  // A connection to a file of another kind is refused too.
  if (error?.code === 'EADDRINUSE' && lstatSync(path).isSocket() && !(await answers(path))) {
    unlinkSync(path);
    error = await listenPrivately(server, path);
  }
  if (error === null) return;
  const advice =
    error.code === 'EADDRINUSE'
      ? 'is in use; use another one'
      : `cannot be used (${error.code}); use another`;
  throw new ListenError(`the socket ${path} ${advice}`, error);
}

/** The mask keeps others out from the first moment. */
async function listenPrivately(server: Server, path: string): Promise<NodeJS.ErrnoException | null> {
  const mask = process.umask(0o177);
  const listening = tryListen(server, { path });
  process.umask(mask);
  const error = await listening;
  if (error === null) chmodSync(path, 0o600);
  return error;
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
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code !== 'ECONNREFUSED'));
  });
}

function tryListen(
  server: Server,
  place: { readonly port: number; readonly host: string } | { readonly path: string },
): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => resolve(error);
    server.once('error', onError);
    server.listen(place, () => {
      server.off('error', onError);
      resolve(null);
    });
  });
}

/** `endStreams` ends the answers that have no end of their own. */
export async function closeServer(server: Server, endStreams: () => Promise<unknown>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await endStreams();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}
