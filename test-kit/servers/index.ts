/** Real servers for tests, and what stands between them and a client. */

export { describeWith } from '../programs/describe-with.ts';
export { missing, type Program } from '../programs/programs.ts';
export { EtcdMember } from './etcd-leadership.ts';
export { type EtcdServerOptions, startEtcd, startEtcdCluster } from './etcd-server.ts';
export { type LoopDisk, missingLoopDisk, startLoopDisk } from './loop-disk.ts';
export { adminOf, type MariadbServerOptions, startMariadb } from './mariadb-server.ts';
export { type NatsServerOptions, startNats, startNatsCluster } from './nats-server.ts';
export { type PostgresServerOptions, startPostgres } from './postgres-server.ts';
export { type RedisServerOptions, startRedis } from './redis-server.ts';
export { freePort, type TestServer } from './server-process.ts';
export { type ProxyMode, startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export {
  startZookeeper,
  startZookeeperEnsemble,
  type ZookeeperServerOptions,
  zookeeperStatus,
} from './zookeeper-server.ts';
