/** Runs packets of statements on the connections of the store. */
import { StoreError } from '../../core/store-error.ts';
import type { ServerConnections } from '../server-connections.ts';
import type { MysqlClient, MysqlResult } from './mysql-client.ts';
import { errnoOf, isLocked } from './mysql-error.ts';
import type { MysqlPreparation } from './mysql-preparation.ts';

export interface MysqlCallsOptions {
  readonly label: string;
  readonly timeoutMs: number;
  readonly connections: ServerConnections<MysqlClient>;
  readonly preparation: MysqlPreparation;
  /** Whether its statements come before others; see server-connections.ts. */
  readonly isUrgent: boolean;
}

/** The server chose this transaction to end a deadlock; a Galera cluster, because another node was faster. */
const ROLLED_BACK = [1213, 1020];

export class MysqlCalls {
  readonly #options: MysqlCallsOptions;

  constructor(options: MysqlCallsOptions) {
    this.#options = options;
  }

  /** One packet. If a statement fails, those before it in the same transaction are rolled back. */
  run(statements: readonly string[], timeoutMs = this.#options.timeoutMs): Promise<readonly MysqlResult[]> {
    const { connections, preparation, isUrgent } = this.#options;
    return connections.use(
      async (client) => {
        await preparation.ensure(client);
        try {
          return await client.query(statements);
        } catch (error) {
          if (errnoOf(error) !== 0 && statements.length > 1) await client.query(['ROLLBACK']);
          throw error;
        }
      },
      timeoutMs,
      isUrgent,
    );
  }

  /** Null if another session was faster: nothing was written. */
  async tryWrite(statements: readonly string[], timeoutMs?: number): Promise<readonly MysqlResult[] | null> {
    try {
      return await this.run(statements, timeoutMs);
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      if (ROLLED_BACK.includes(errnoOf(cause)) || isLocked(cause)) return null;
      throw error;
    }
  }

  locked(name: string): StoreError {
    const text = `another session locks the row of ${JSON.stringify(name)} in the lease table; see information_schema.innodb_trx`;
    return new StoreError('busy', `${this.#options.label}: ${text}`);
  }

  /** A replica may answer with old data. */
  checkWritable(readOnly: string): void {
    if (!isReadOnly(readOnly)) return;
    const text = 'is read-only, as a replica is, which may answer with old data; name the primary in the URL';
    throw new StoreError('busy', `${this.#options.label} ${text}`);
  }
}

/** `value` of the variable read_only. */
export const isReadOnly = (value: string): boolean => !['0', 'OFF'].includes(value.toUpperCase());
