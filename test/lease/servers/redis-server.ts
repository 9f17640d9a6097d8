/**
 * A real Redis, ready in some 50 ms: one for each test file. It keeps every answered write, unless it is told not to: a
 * server that may have forgotten leases grants none for a ttl after its start, and tests would wait for that.
 */
import { createConnection } from 'node:net';
import { connect } from 'node:tls';
import { startServer, type TestServer } from './server-process.ts';

export interface RedisServerOptions {
  /** Of the default user. */
  readonly password?: string;
  /** Lines of an ACL file after the word `user`: 'app on >secret ~hustings:* &hustings:* +@all'. */
  readonly acl?: readonly string[];
  /** False: forgets all when it ends. */
  readonly appendonly?: boolean;
  /** Paths of a key and a certificate: then it speaks TLS alone. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Further arguments of the program, such as '--maxmemory-policy', 'allkeys-lru'. */
  readonly args?: readonly string[];
}

export function startRedis(options: RedisServerOptions = {}): Promise<TestServer> {
  const { password, acl = [], appendonly = true, tls, args = [] } = options;
  return startServer({
    program: 'redis-server',
    politeSignal: 'SIGTERM',
    args: (folder, port) => [
      ...(tls ? ['--port', '0', '--tls-port', `${port}`, '--tls-auth-clients', 'no'] : ['--port', `${port}`]),
      ...(tls ? ['--tls-key-file', tls.key, '--tls-cert-file', tls.cert] : []),
      ...['--bind', '127.0.0.1', '--dir', folder, '--save', ''],
      ...['--appendonly', appendonly ? 'yes' : 'no', '--appendfsync', 'always'],
      ...(password === undefined ? [] : ['--requirepass', password]),
      ...acl.flatMap((line) => ['--user', ...line.split(' ')]),
      ...args,
    ],
    answers: async (port) => /^(\+PONG|-NOAUTH)/.test(await ask(port, 'PING\r\n', tls !== undefined)),
    url: (port) =>
      `${tls ? 'rediss' : 'redis'}://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
  });
}

function ask(port: number, text: string, overTls: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const address = { port, host: '127.0.0.1' };
    const send = (): boolean => socket.write(text);
    const socket = overTls
      ? connect({ ...address, rejectUnauthorized: false }, send)
      : createConnection(address, send);
    socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString('latin1'));
    });
    socket.on('close', () => reject(new Error('closed')));
  });
}
