/**
 * The socket of one NATS connection. The client library forgets a socket over which the server has never greeted: it stays open
 * and keeps the process alive. The library has no access to it, but Node announces every socket that is created.
 *
 * Guaranteed: a connection has one socket at a time, the latest, and none after `destroy`. Not covered: TLS that begins before the
 * greeting (`handshakeFirst`), whose sockets Node does not announce.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const connecting = new AsyncLocalStorage<NatsSocket>();
let isSubscribed = false;

export class NatsSocket {
  #socket: Socket | null = null;
  #isDestroyed = false;

  /** Every socket that `connect` opens belongs to this connection, also when the library reconnects later. */
  run<Answer>(connect: () => Answer): Answer {
    if (!isSubscribed) {
      isSubscribed = true;
      subscribe('net.client.socket', (message) =>
        connecting.getStore()?.replace((message as { socket: Socket }).socket),
      );
    }
    return connecting.run(this, connect);
  }

  replace(socket: Socket): void {
    this.#socket?.destroy();
    this.#socket = socket;
    // Not at once: a socket that is destroyed before it connects comes back to life.
    if (this.#isDestroyed) process.nextTick(() => socket.destroy());
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#socket?.destroy();
  }
}
