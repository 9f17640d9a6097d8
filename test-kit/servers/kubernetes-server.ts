/**
 * Kubernetes API servers for tests: a stand-in, which is there at once, and a real kube-apiserver with etcd, which
 * scripts/kubernetes/build.sh builds. Both have the users admin, who may do everything, and limited, who has no rights until a
 * role grants some. The URL of the server names a kubeconfig file with the contexts `admin` and `limited`.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { runToSuccess } from '../limits/child-process.ts';
import { startServer, type TestServer } from './server-process.ts';

export interface KubernetesServer extends TestServer {
  /** The URL of the same namespace for a user, `admin` or `limited`. */
  urlFor(context: string): string;
  /** A URL that lists these servers, with a kubeconfig file that trusts all of them. */
  urlOfAll(servers: readonly KubernetesServer[]): string;
  readonly ca: string;
  ask(method: string, path: string, body?: object, token?: string): Promise<KubernetesAnswer>;
}

export interface KubernetesAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of the server have many forms
  readonly body: any;
}

const STAND_IN = fileURLToPath(new URL('./kubernetes-stand-in.ts', import.meta.url));

/** A self-signed certificate for 127.0.0.1 in `folder`: key.pem and cert.pem. */
export function writeCertificate(folder: string): void {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  runToSuccess('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' });
}

/** As kubectl writes it. */
export function kubeconfig(port: number, ca: string): string {
  const user = (name: string) => `- name: ${name}\n  user:\n    token: ${name}-token\n`;
  const context = (name: string) => `- context:\n    cluster: test\n    user: ${name}\n  name: ${name}\n`;
  return (
    'apiVersion: v1\nkind: Config\npreferences: {}\nclusters:\n- cluster:\n' +
    `    certificate-authority-data: ${Buffer.from(ca).toString('base64')}\n` +
    `    server: https://127.0.0.1:${port}\n  name: test\n` +
    `contexts:\n${context('admin')}${context('limited')}current-context: admin\n` +
    `users:\n${user('admin')}${user('limited')}`
  );
}

export async function startKubernetesStandIn(): Promise<KubernetesServer> {
  let place = '';
  const server = await startServer({
    program: process.execPath,
    politeSignal: 'SIGTERM',
    prepare: async (folder) => {
      place = folder;
      writeCertificate(folder);
      const { code } = await transform(readFileSync(STAND_IN, 'utf8'), { loader: 'ts' });
      writeFileSync(join(folder, 'stand-in.mjs'), code);
    },
    args: (folder, port) => [join(folder, 'stand-in.mjs'), folder, `${port}`],
    answers: async (port) =>
      (await ask(port, readFileSync(join(place, 'cert.pem'), 'utf8'), 'GET', '/version')).status === 200,
    url: (port) => urlOf(port, place, 'admin'),
  });
  return withRequests(server, join(server.folder, 'cert.pem'));
}

/** Adds the kubeconfig file and requests to a server that runs. */
export function withRequests(server: TestServer, caFile: string): KubernetesServer {
  const ca = readFileSync(caFile, 'utf8');
  writeFileSync(join(server.folder, 'kubeconfig'), kubeconfig(server.port, ca));
  return Object.defineProperties(server, {
    ca: { value: ca },
    urlOfAll: {
      value: (servers: readonly KubernetesServer[]) => {
        const file = join(server.folder, 'kubeconfig-of-all');
        writeFileSync(file, kubeconfig(server.port, servers.map((each) => each.ca).join('\n')));
        const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
        return `kubernetes://${hosts}/default?kubeconfig=${file}&context=admin`;
      },
    },
    urlFor: { value: (context: string) => urlOf(server.port, server.folder, context) },
    ask: {
      value: (method: string, path: string, body?: object, token?: string) =>
        ask(server.port, ca, method, path, body, token),
    },
  }) as KubernetesServer;
}

const urlOf = (port: number, folder: string, context: string): string =>
  `kubernetes://127.0.0.1:${port}/default?kubeconfig=${join(folder, 'kubeconfig')}&context=${context}`;

export function ask(
  port: number,
  ca: string,
  method: string,
  path: string,
  body?: object,
  token = 'admin-token',
): Promise<KubernetesAnswer> {
  return new Promise((resolve, reject) => {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      'content-length': Buffer.byteLength(content ?? ''),
    };
    const sent = request({ host: '127.0.0.1', port, ca, method, path, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => (text += piece));
      answer.on('end', () => {
        const isJson = answer.headers['content-type']?.includes('json') ?? false;
        const lines = isJson ? text.trim().split('\n') : [];
        const isOne = lines.length === 1 || !path.includes('watch=');
        const parsed = isJson ? (isOne ? JSON.parse(text) : lines.map((line) => JSON.parse(line))) : text;
        resolve({ status: answer.statusCode ?? 0, body: parsed });
      });
      answer.on('error', reject);
    });
    sent.setTimeout(10_000, () => sent.destroy(new Error('no answer')));
    sent.on('error', reject);
    sent.end(content);
  });
}
