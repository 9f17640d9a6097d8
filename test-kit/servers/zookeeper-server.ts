/** A real ZooKeeper, alone or several as one ensemble. A Java run-time is ready in two to four seconds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { freePort, startServer, type TestServer } from './server-process.ts';

export interface ZookeeperServerOptions {
  /** Further lines of its configuration. */
  readonly config?: string;
  /** Options of the Java run-time. */
  readonly java?: readonly string[];
  /** Paths of a key store (PKCS12) and its password: then it speaks TLS to its clients. */
  readonly tls?: { readonly store: string; readonly password: string };
}

/** Where Debian keeps the program. Its manifest names its libraries, except those that TLS needs. */
const JARS = ['zookeeper', 'netty-codec', 'netty-resolver'].map((name) => `/usr/share/java/${name}.jar`);

export const startZookeeper = (options: ZookeeperServerOptions = {}): Promise<TestServer> =>
  startMember(1, '', options);

/** Servers of one ensemble, each with its own process. The URL of each names that server alone. */
export async function startZookeeperEnsemble(
  size: number,
  options: ZookeeperServerOptions = {},
): Promise<readonly TestServer[]> {
  const ports = await Promise.all(Array.from({ length: 2 * size }, () => freePort()));
  const members = Array.from(
    { length: size },
    (_, index) => `server.${index + 1}=127.0.0.1:${ports[2 * index]}:${ports[2 * index + 1]}`,
  );
  const ensemble = ['initLimit=20', 'syncLimit=10', ...members].join('\n');
  // Together: a server answers only when a majority runs.
  return Promise.all(members.map((_, index) => startMember(index + 1, ensemble, options)));
}

function startMember(
  id: number,
  ensemble: string,
  { config = '', java = [], tls }: ZookeeperServerOptions,
): Promise<TestServer> {
  const port = tls === undefined ? 'clientPort' : 'secureClientPort';
  const secure = tls && [
    'serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory',
    ...[`ssl.keyStore.location=${tls.store}`, `ssl.keyStore.password=${tls.password}`, 'ssl.clientAuth=none'],
  ];
  return startServer({
    program: 'java',
    politeSignal: 'SIGTERM',
    prepare: async (folder) => {
      mkdirSync(join(folder, 'data'));
      writeFileSync(join(folder, 'data', 'myid'), `${id}\n`);
    },
    args: (folder, number) => {
      const lines = [
        ...['tickTime=200', 'minSessionTimeout=400', 'maxSessionTimeout=60000', 'admin.enableServer=false'],
        ...[`dataDir=${folder}/data`, `${port}=${number}`, `${port}Address=127.0.0.1`, 'maxClientCnxns=0'],
        ...(secure ?? []),
        config,
        ensemble,
      ];
      writeFileSync(join(folder, 'zoo.cfg'), lines.join('\n'));
      const quick = ['-Xmx128m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];
      const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';
      return [...quick, ...java, '-cp', [folder, ...JARS].join(':'), main, join(folder, 'zoo.cfg')];
    },
    answers: tls === undefined ? isServing : hasOpened,
    url: (number) => `zookeeper${tls === undefined ? '' : 's'}://127.0.0.1:${number}`,
  });
}

/** Whether the server is part of a majority, or stands alone. */
export const isServing = async (port: number): Promise<boolean> =>
  /^Mode: /m.test(await zookeeperStatus(port));

/** Its answer to the command srvr. */
export function zookeeperStatus(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write('srvr'));
    socket.setTimeout(1_000, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
    socket.on('data', (data) => (text += data));
    socket.on('close', () => resolve(text));
  });
}

function hasOpened(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', reject);
  });
}
