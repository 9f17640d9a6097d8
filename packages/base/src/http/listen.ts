/** Listens on loopback, and closes a server with everything that it has open. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ExitCategory, HustingsError } from '../hustings-error.ts';

/** A server cannot listen: no port is free, or the path of its socket cannot be used. */
export class ListenError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_LISTEN', cause });
  }

  override get exitCategory(): ExitCategory {
    return 'environment';
  }
}

export const LOOPBACK = '127.0.0.1';
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

/** Resolves with the error, or null. */
export function tryListen(
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
