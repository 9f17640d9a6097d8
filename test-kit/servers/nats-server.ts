/** A real NATS with JetStream, or several as one cluster. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { freePort, startServer, type TestServer } from './server-process.ts';

export interface NatsServerOptions {
  /** False: without JetStream. */
  readonly jetStream?: boolean;
  /** Lines of the configuration. */
  readonly config?: string;
}

export function startNats({ jetStream = true, config = '' }: NatsServerOptions = {}): Promise<TestServer> {
  return start((folder) => `${jetStream ? `jetstream { store_dir: "${folder}/data" }` : ''}\n${config}`);
}

/** The URL of each names that server alone. */
export async function startNatsCluster(size: number): Promise<readonly TestServer[]> {
  const routes = await Promise.all(Array.from({ length: size }, () => freePort()));
  const list = routes.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  return Promise.all(
    routes.map((port, index) =>
      start(
        (folder) => `server_name: n${index + 1}
jetstream { store_dir: "${folder}/data" }
cluster { name: test, listen: "127.0.0.1:${port}", routes: [${list}] }`,
      ),
    ),
  );
}

function start(configOf: (folder: string) => string): Promise<TestServer> {
  return startServer({
    program: 'nats-server',
    politeSignal: 'SIGTERM',
    prepare: async (folder) => {
      mkdirSync(join(folder, 'data'));
      writeFileSync(join(folder, 'nats.conf'), configOf(folder));
    },
    args: (folder, port) => ['-a', '127.0.0.1', '-p', `${port}`, '-c', join(folder, 'nats.conf')],
    answers: greets,
    url: (port) => `nats://127.0.0.1:${port}`,
  });
}

/** A server greets each connection with a line. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.setTimeout(1_000, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('INFO'));
    });
  });
}
