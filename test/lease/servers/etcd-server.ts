/** A real etcd of one member, ready in a second. */
import { request } from 'node:http';
import { freePort, startServer, type TestServer } from './server-process.ts';

export interface EtcdServerOptions {
  /** Further arguments of the program. */
  readonly args?: readonly string[];
  readonly tls?: { readonly key: string; readonly cert: string };
}

export async function startEtcd({ args = [] }: EtcdServerOptions = {}): Promise<TestServer> {
  const peerPort = await freePort();
  return startServer({
    program: 'etcd',
    politeSignal: 'SIGTERM',
    args: (folder, port) => [
      ...['--name', 'n1', '--data-dir', `${folder}/data`, '--log-level', 'error'],
      ...['--listen-client-urls', `http://127.0.0.1:${port}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${port}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peerPort}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peerPort}`],
      ...['--initial-cluster', `n1=http://127.0.0.1:${peerPort}`],
      ...args,
    ],
    answers: isHealthy,
    url: (port) => `etcd://127.0.0.1:${port}`,
  });
}

export function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/health' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    sent.setTimeout(1_000, () => sent.destroy(new Error('no answer')));
    sent.on('error', reject);
    sent.end();
  });
}
