/**
 * Bounds the connections of a server. At the limit the oldest connection that has not shown the token is closed, so that a
 * flood of silent connections does not keep out a client that has it.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export class ConnectionLimit {
  readonly #unauthenticated = new Set<Socket>();

  constructor(server: Server, maxUnauthenticated: number, maxConnections: number) {
    server.maxConnections = maxConnections;
    server.on('connection', (socket: Socket) => {
      this.#unauthenticated.add(socket);
      socket.once('close', () => this.#unauthenticated.delete(socket));
      if (this.#unauthenticated.size <= maxUnauthenticated) return;
      const [oldest] = this.#unauthenticated;
      this.#unauthenticated.delete(oldest);
      oldest.destroy();
    });
  }

  /** The connection has shown the token. */
  trust(socket: Socket): void {
    this.#unauthenticated.delete(socket);
  }
}
