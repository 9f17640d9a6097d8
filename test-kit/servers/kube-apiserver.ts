/**
 * Real Kubernetes API servers on one etcd, as scripts/kube-apiserver.sh builds them: minutes the first time, then cached outside
 * of the repository. Ready in about 5 s.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToSuccess, startProcess } from '../limits/child-process.ts';
import { ask, type KubernetesServer, withRequests } from './kubernetes-server.ts';
import { freePort, startServer, type TestServer } from './server-process.ts';

const BUILD = fileURLToPath(new URL('../../scripts/kube-apiserver.sh', import.meta.url));

/** The folder of the programs, built if they are missing and `mayBuild`; otherwise the reason why there is none. */
export async function kubernetesPrograms(
  mayBuild = true,
): Promise<{ readonly folder?: string; readonly reason?: string }> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hustings', 'kube-apiserver');
  const folder = join(cache, 'bin');
  if (existsSync(join(folder, 'kube-apiserver')) && existsSync(join(folder, 'etcd'))) return { folder };
  if (!mayBuild) return { reason: 'it is not built; run scripts/kube-apiserver.sh' };
  const build = startProcess(BUILD, [cache], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  build.stderr.on('data', (data) => (said += data));
  const code = await new Promise((resolve) => build.on('close', resolve));
  if (code === 0) return { folder };
  const reason = `${said.trim().split('\n').at(-1)}; run scripts/kube-apiserver.sh on Debian 12`;
  if (process.env.CI === 'true') throw new Error(`${reason}; with CI=true this is a failure, not a skip`);
  return { reason };
}

export interface KubernetesCluster {
  /** The API servers. Stopping them stops etcd too. */
  readonly servers: readonly KubernetesServer[];
  readonly etcd: TestServer;
  stop(): Promise<void>;
}

export async function startKubernetes(programs: string, size = 1): Promise<KubernetesCluster> {
  const etcd = await startEtcd(programs);
  const servers: KubernetesServer[] = [];
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop();
    await etcd.stop();
  };
  try {
    runToSuccess('openssl', ['genrsa', '-out', join(etcd.folder, 'sa.key'), '2048'], { stdio: 'ignore' });
    writeFileSync(
      join(etcd.folder, 'tokens.csv'),
      'admin-token,admin,1,system:masters\nlimited-token,limited,2\n',
    );
    for (let index = 0; index < size; index++) servers.push(await startApiserver(programs, etcd));
  } catch (error) {
    await stop();
    throw error;
  }
  return { servers, etcd, stop };
}

/** One API server that stops its etcd when it is stopped. */
export async function startOneKubernetes(programs: string): Promise<KubernetesServer> {
  const { servers, etcd } = await startKubernetes(programs);
  const [server] = servers;
  const stopServer = server.stop;
  return Object.defineProperty(server, 'stop', {
    value: async () => {
      await stopServer();
      await etcd.stop();
    },
  });
}

async function startEtcd(programs: string): Promise<TestServer> {
  const peerPort = await freePort();
  const peer = `http://127.0.0.1:${peerPort}`;
  return startServer({
    program: join(programs, 'etcd'),
    politeSignal: 'SIGTERM',
    args: (folder, port) => [
      `--data-dir=${join(folder, 'data')}`,
      ...[
        `--listen-client-urls=http://127.0.0.1:${port}`,
        `--advertise-client-urls=http://127.0.0.1:${port}`,
      ],
      ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`],
      `--initial-cluster=default=${peer}`,
    ],
    answers: async (port) => (await fetch(`http://127.0.0.1:${port}/health`)).ok,
    url: (port) => `http://127.0.0.1:${port}`,
  });
}

async function startApiserver(programs: string, etcd: TestServer): Promise<KubernetesServer> {
  let place = '';
  const certificate = (): string => join(place, 'certs', 'apiserver.crt');
  const key = join(etcd.folder, 'sa.key');
  const server = await startServer({
    program: join(programs, 'kube-apiserver'),
    politeSignal: 'SIGTERM',
    prepare: async (folder) => {
      place = folder;
    },
    args: (folder, port) => [
      ...[`--etcd-servers=${etcd.url}`, '--bind-address=127.0.0.1', '--advertise-address=127.0.0.1'],
      ...[`--secure-port=${port}`, `--cert-dir=${join(folder, 'certs')}`],
      ...[`--token-auth-file=${join(etcd.folder, 'tokens.csv')}`, '--authorization-mode=RBAC'],
      ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
      ...[
        '--service-account-issuer=https://kubernetes.default.svc',
        '--service-cluster-ip-range=10.0.0.0/24',
      ],
      ...['--disable-admission-plugins=ServiceAccount', '--endpoint-reconciler-type=none'],
      // Otherwise it waits for a minute when it is told to end, for the watches.
      ...['--enable-priority-and-fairness=false', '--shutdown-delay-duration=0s'],
    ],
    answers: async (port) => {
      const ca = readFileSync(certificate(), 'utf8');
      const paths = ['/readyz', '/api/v1/namespaces/default'];
      const answers = await Promise.all(paths.map((path) => ask(port, ca, 'GET', path)));
      return answers.every(({ status }) => status === 200);
    },
    url: (port) =>
      `kubernetes://127.0.0.1:${port}/default?kubeconfig=${join(place, 'kubeconfig')}&context=admin`,
  });
  return withRequests(server, certificate());
}
