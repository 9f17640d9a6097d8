/**
 * Bounds the connections of a server. At the limit the oldest connection that has not shown the token is closed, so that a
 * flood of silent connections does not keep out a client that has it.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export class ConnectionLimit {
  readonly #strangers = new Set<Socket>();

  constructor(server: Server, maxStrangers: number, maxConnections: number) {
    server.maxConnections = maxConnections;
    server.on('connection', (socket: Socket) => {
      this.#strangers.add(socket);
      socket.once('close', () => this.#strangers.delete(socket));
      if (this.#strangers.size <= maxStrangers) return;
      const [oldest] = this.#strangers;
      this.#strangers.delete(oldest);
      oldest.destroy();
    });
  }

  /** The connection has shown the token. */
  trust(socket: Socket): void {
    this.#strangers.delete(socket);
  }
}
