/**
 * The coordinator of a queue: one process among the workers and the commands, chosen by a lease on the same Redis. It hands
 * out the jobs of all batches, merges their results in order, and ends batches.
 *
 * Guarantees: if it dies, another continues from the state in Redis. Its writes are fenced by its token; what it adds to
 * the queue twice has the same id. A job without a result is in the queue, with a worker, or handed out again.
 */
import { createElector } from 'hustings';
import { StoreError } from 'hustings/lease';
import { FenceError } from 'hustings/lease/fence';
import type { Lead } from 'hustings/opentelemetry';
import { BatchLedger } from './batch-ledger.ts';
import { BatchStore } from './batch-store.ts';
import { pause } from './pause.ts';
import type { QueueConnection } from './queue-connection.ts';
import { ELECTION } from './queue-keys.ts';

/** A dead coordinator on another machine delays new jobs for this time. */
const LEASE_MS = 6_000;
const BUSY_PAUSE_MS = 50;
const IDLE_PAUSE_MS = 500;

export class Coordinator {
  private readonly connection: QueueConnection;
  private readonly store: BatchStore;
  private readonly cores: () => number;

  /** `cores` is the number of cores of all workers. */
  constructor(connection: QueueConnection, cores: () => number) {
    this.connection = connection;
    this.store = new BatchStore(connection);
    this.cores = cores;
  }

  /** Coordinates whenever this process holds the lease, until `signal` aborts. */
  async campaign(signal: AbortSignal): Promise<void> {
    const elector = createElector({
      store: this.connection.leases,
      name: ELECTION,
      ttlMs: LEASE_MS,
      // Errors of the store are reported by the connection.
      onEvent: () => {},
    });
    try {
      await elector.campaign((lead) => this.lead(lead), { signal });
    } finally {
      await elector.close();
      await this.connection.touch(this.connection.keys.ofOthers()).catch(() => {});
    }
  }

  private async lead(lead: Lead): Promise<void> {
    let ledgers = new Map<string, BatchLedger>();
    while (!lead.signal.aborted) {
      let isBusy = false;
      try {
        isBusy = await this.pass(lead, ledgers);
      } catch (error) {
        if (error instanceof FenceError) return;
        if (!(error instanceof StoreError)) throw error;
        this.connection.onTrouble(error);
        // Whether the last write took effect is unknown: read everything again.
        ledgers = new Map();
      }
      await pause(isBusy ? BUSY_PAUSE_MS : IDLE_PAUSE_MS, lead.signal);
    }
  }

  /** True if there is work. */
  private async pass(lead: Lead, ledgers: Map<string, BatchLedger>): Promise<boolean> {
    const names = await this.store.active();
    for (const name of names) {
      const ledger = ledgers.get(name) ?? (await BatchLedger.load(this.connection, this.store, name));
      if (ledger === null) {
        await this.store.deactivate(name);
        continue;
      }
      ledgers.set(name, ledger);
      const isOver = await ledger.advance(lead, this.cores());
      if (isOver) ledgers.delete(name);
      if (lead.signal.aborted) break;
    }
    return names.length > 0;
  }
}
