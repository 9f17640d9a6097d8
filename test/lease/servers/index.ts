/** Real servers for tests, and what stands between them and a client. */

export { describeWith } from './describe-with.ts';
export { type PostgresServerOptions, startPostgres } from './postgres-server.ts';
export { missing, type ServerProgram } from './programs.ts';
export { type RedisServerOptions, startRedis } from './redis-server.ts';
export { freePort, type TestServer } from './server-process.ts';
export { type ProxyMode, startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
