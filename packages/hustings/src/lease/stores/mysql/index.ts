/** Leases in MySQL and MariaDB: the door `hustings/lease/mysql`. */

export type * from '../../store-interface.ts';
export type { Mysql2Source } from './existing-mysql2.ts';
export { MysqlLeaseStore, type MysqlStoreOptions } from './mysql-lease-store.ts';
