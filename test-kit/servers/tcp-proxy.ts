/**
 * A network between a client and a server on this host, which can be cut, slowed down, or made to swallow what is sent
 * as a host that has lost its power does: no byte, no FIN, no RST.
 *
 * Guaranteed: bytes that pass keep their order, also over a change of the delay. Not shown: lost or reordered packets,
 * which TCP hides from both ends.
 */
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

/**
 * pass: all goes through, after `delay`. cut: open connections are reset, new ones too. blackhole: connections stay
 * open and new ones are accepted, but no byte passes; what was swallowed never arrives. to-server, to-client: the
 * bytes in that direction alone are swallowed.
 */
export type ProxyMode = 'pass' | 'cut' | 'blackhole' | 'swallow-to-server' | 'swallow-to-client';

export interface TcpProxy {
  readonly port: number;
  /** The server's address with the proxy's port in it. */
  url(serverUrl: string): string;
  set(mode: ProxyMode): void;
  readonly mode: ProxyMode;
  /** Each way: a round trip takes twice as long. */
  delay(ms: number): void;
  /** What passed; swallowed bytes do not count. */
  readonly bytesToServer: number;
  readonly bytesToClient: number;
  /** Accepted since the beginning. */
  readonly connections: number;
  /** Open at the client's side. */
  readonly openConnections: number;
  close(): Promise<void>;
}

export async function startTcpProxy(serverPort: number, serverHost = '127.0.0.1'): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let mode: ProxyMode = 'pass';
  let delayMs = 0;
  let connections = 0;
  const passed = { 'to-server': 0, 'to-client': 0 };

  const swallows = (way: keyof typeof passed): boolean => mode === 'blackhole' || mode === `swallow-${way}`;

  const pump = (from: Socket, to: Socket, way: keyof typeof passed): void => {
    // A connection that has swallowed a byte can never go on: its other end would see a hole in the stream.
    let isBroken = false;
    let last = Promise.resolve();
    const later = (act: () => void): void => {
      const due = performance.now() + delayMs;
      last = last.then(() => waitUntil(due)).then(act);
    };
    from.on('data', (data) => {
      isBroken ||= swallows(way);
      if (isBroken) return;
      later(() => {
        if (to.destroyed) return;
        isBroken ||= swallows(way);
        if (isBroken) return;
        passed[way] += data.length;
        to.write(data);
      });
    });
    from.on('end', () => {
      isBroken ||= swallows(way);
      if (!isBroken) later(() => isBroken || to.end());
    });
    from.on('close', () => {
      sockets.delete(from);
      clients.delete(from);
      isBroken ||= swallows(way);
      if (!isBroken) later(() => isBroken || to.destroy());
    });
    from.on('error', () => undefined);
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (mode === 'cut') {
      client.resetAndDestroy();
      return;
    }
    connections++;
    const upstream = createConnection({ port: serverPort, host: serverHost, allowHalfOpen: true });
    for (const socket of [client, upstream]) sockets.add(socket.setNoDelay(true));
    clients.add(client);
    // A server that refuses is passed on as a connection that is reset.
    upstream.on('error', () => mode === 'pass' && client.resetAndDestroy());
    pump(client, upstream, 'to-server');
    pump(upstream, client, 'to-client');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };

  return {
    port,
    url(serverUrl) {
      const url = new URL(serverUrl);
      url.port = `${port}`;
      return url.href;
    },
    set(next) {
      mode = next;
      if (mode === 'cut') for (const socket of sockets) socket.resetAndDestroy();
    },
    get mode() {
      return mode;
    },
    delay(ms) {
      delayMs = ms;
    },
    get bytesToServer() {
      return passed['to-server'];
    },
    get bytesToClient() {
      return passed['to-client'];
    },
    get connections() {
      return connections;
    },
    get openConnections() {
      return clients.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function waitUntil(due: number): Promise<void> | undefined {
  const leftMs = due - performance.now();
  return leftMs <= 0 ? undefined : new Promise((resolve) => setTimeout(resolve, leftMs));
}
