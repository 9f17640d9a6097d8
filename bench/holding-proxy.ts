/**
 * A network in front of one member that gives no credit for a closed socket. While it holds, the death of a process reaches
 * nobody: its peers see an open connection that is silent, as after the loss of a host. So only timeouts can find it.
 */
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

export interface HoldingProxy {
  readonly port: number;
  /** From now on no end of a connection learns that the other one is closed, and a refused one looks open. */
  hold(): void;
  /** Closes what was held. */
  release(): void;
  close(): Promise<void>;
}

export async function startHoldingProxy(serverPort: number): Promise<HoldingProxy> {
  const open = new Set<Socket>();
  const held = new Set<Socket>();
  let isHolding = false;

  const pump = (from: Socket, to: Socket): void => {
    open.add(from.setNoDelay(true));
    from.on('data', (data) => {
      if (to.writable) to.write(data);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      open.delete(from);
      held.delete(from);
      if (!isHolding) to.destroy();
      else if (!to.destroyed) held.add(to);
    });
  };

  const server = createServer((client) => {
    const upstream = createConnection({ port: serverPort, host: '127.0.0.1' });
    pump(client, upstream);
    pump(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    port,
    hold() {
      isHolding = true;
    },
    release() {
      isHolding = false;
      for (const socket of [...held]) socket.destroy();
    },
    async close() {
      isHolding = false;
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
