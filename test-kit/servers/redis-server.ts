/**
 * A real Redis, ready in some 50 ms: one for each test file. It keeps every answered write, unless it is told not to. A
 * server without keys may have forgotten its leases and grants none for one TTL. Tests would wait for that, so the store
 * with the default prefix was first used long ago, unless the server is new.
 */
import { createConnection } from 'node:net';
import { connect } from 'node:tls';
import { startServer, type TestServer } from './server-process.ts';

export interface RedisServerOptions {
  /** The password of the default user. */
  readonly password?: string;
  /** Lines of an ACL file after the word `user`: 'app on >secret ~hustings:* &hustings:* +@all'. */
  readonly acl?: readonly string[];
  /** False: forgets all when it ends. */
  readonly appendonly?: boolean;
  /** Paths of a key and a certificate: then it speaks TLS alone. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** No store was ever used on it. */
  readonly isNew?: boolean;
  /** Further arguments of the program, such as '--maxmemory-policy', 'allkeys-lru'. */
  readonly args?: readonly string[];
}

export async function startRedis(options: RedisServerOptions = {}): Promise<TestServer> {
  const { password, acl = [], appendonly = true, tls, isNew = false, args = [] } = options;
  const server = await startServer({
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
  if (isNew || args.includes('--replicaof')) return server;
  const auth = password === undefined ? '' : `AUTH "${password}"\r\n`;
  const answer = await ask(server.port, `${auth}EVAL "${USED_LONG_AGO}" 0\r\n`, tls !== undefined);
  if (answer.startsWith('-')) throw new Error(`the new Redis server refused a script: ${answer}`);
  return server;
}

const USED_LONG_AGO = `redis.call('HSET', 'hustings:layout', 'run',
  string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') .. ':' ..
  string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)'), 'seenUs', 1)`.replaceAll(
  /\s+/g,
  ' ',
);

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
