/**
 * Listens for members. Connections that have not proved who they are are bounded: one is closed for one more. The policy says
 * which, so that a flood of them does not keep out a member whose handshake takes long.
 */
import { constants } from 'node:crypto';
import { createServer, type Server, Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { HustingsError } from '@hustings/base';
import type { HostAndPort } from '../member-list/address.ts';
import type { WirePolicy } from './policy.ts';
import type { RefusalReason } from './refusal.ts';
import type { ClusterSecurity } from './security.ts';
import { tlsErrorText } from './tls-error.ts';

/** A member cannot listen on its address. */
export class ClusterListenError extends HustingsError {
  constructor(id: number, { host, port }: HostAndPort, cause: NodeJS.ErrnoException) {
    const why =
      cause.code === 'EADDRINUSE'
        ? 'is in use; stop the process that listens there, or give the member another address'
        : `cannot be used (${cause.code ?? cause.message}); give the member an address of this machine`;
    super(`member ${id} cannot listen: ${host}:${port} ${why}`, { code: 'HUSTINGS_LISTEN', cause });
  }
}

export interface ListenerEvents {
  /** `raw` is the TCP socket below TLS, or the socket itself. */
  onConnection(socket: Socket, raw: Socket): void;
  onRefused(address: string, reason: RefusalReason, text: string): void;
}

/** TLS 1.3 with certificates on both sides, which are checked in every connection. */
export function tlsOptions(security: Extract<ClusterSecurity, { type: 'tls' }>, policy: WirePolicy) {
  const { ca, certificate: cert, key } = security;
  return {
    ca,
    cert,
    key,
    minVersion: 'TLSv1.3',
    rejectUnauthorized: policy.requiresCertificate,
    secureOptions: policy.issuesTickets ? 0 : constants.SSL_OP_NO_TICKET,
  } as const;
}

/** Unknown if the peer has closed the connection already. */
export const remoteAddress = ({ remoteAddress: host, remotePort: port }: Socket): string =>
  host === undefined ? 'unknown' : `${host}:${port}`;

export class Listener {
  readonly #server: Server;
  /** By remote address: Node does not tell which TLS socket belongs to a socket. */
  readonly #unauthenticated = new Map<string, Socket>();
  /** The addresses of TCP sockets: a closed socket does not tell its address any more. */
  readonly #addresses = new WeakMap<Socket, string>();

  constructor(
    security: ClusterSecurity,
    private readonly policy: WirePolicy,
    private readonly events: ListenerEvents,
    maxMembers: number,
    /** In [0, 1). */
    private readonly random: () => number,
  ) {
    const onConnection = (socket: Socket): void => {
      const raw = this.#unauthenticated.get(remoteAddress(socket));
      if (raw === undefined) socket.destroy();
      else events.onConnection(socket, raw);
    };
    if (security.type === 'tls') {
      const options = {
        ...tlsOptions(security, policy),
        requestCert: true,
        handshakeTimeout: policy.handshakeTimeoutMs,
      };
      this.#server = createTlsServer(options, onConnection);
      this.#server.on('tlsClientError', (error: Error, socket: TLSSocket) => {
        const text = tlsErrorText(error, socket) ?? 'it closed the connection before it was secure';
        events.onRefused(this.#addressOf(socket), 'certificate', text);
        socket.destroy();
      });
      this.#server.on('connection', (socket: Socket) => this.#admit(socket));
    } else {
      this.#server = createServer((socket) => {
        this.#admit(socket);
        onConnection(socket);
      });
    }
    this.allow(maxMembers);
  }

  /** A member may connect again before its earlier connection is known to be broken. */
  allow(maxMembers: number): void {
    this.#server.maxConnections = this.policy.maxUnauthenticated + 2 * maxMembers;
  }

  /** Resolves with the port. */
  listen(id: number, place: HostAndPort): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) => reject(new ClusterListenError(id, place, error)));
      this.#server.listen(place.port, place.host, () => {
        this.#server.removeAllListeners('error');
        // A failure to accept, as without free descriptors, must not end the process.
        this.#server.on('error', (error) => this.events.onRefused('unknown', 'strangers', error.message));
        resolve((this.#server.address() as { port: number }).port);
      });
    });
  }

  /** The connection has proved who it is. */
  trust(socket: Socket): void {
    this.#unauthenticated.delete(remoteAddress(socket));
  }

  get unauthenticatedCount(): number {
    return this.#unauthenticated.size;
  }

  /** Connections must be closed by their owner. */
  close(): Promise<void> {
    for (const socket of this.#unauthenticated.values()) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** `_parent` is the TCP socket in Node, which does not document it. Without it the address may be unknown. */
  #addressOf(socket: TLSSocket & { readonly _parent?: unknown }): string {
    const { _parent: raw } = socket;
    return (raw instanceof Socket && this.#addresses.get(raw)) || remoteAddress(socket);
  }

  #admit(socket: Socket): void {
    const key = remoteAddress(socket);
    this.#addresses.set(socket, key);
    this.#unauthenticated.set(key, socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#unauthenticated.get(key) === socket) this.#unauthenticated.delete(key);
    });
    if (this.#unauthenticated.size <= this.policy.maxUnauthenticated) return;
    const address = this.policy.unauthenticatedToClose([...this.#unauthenticated.keys()], this.random());
    this.#unauthenticated.get(address)?.destroy();
    this.#unauthenticated.delete(address);
    this.events.onRefused(
      address,
      'strangers',
      `more than ${this.policy.maxUnauthenticated} connections have not proved who they are`,
    );
  }
}
