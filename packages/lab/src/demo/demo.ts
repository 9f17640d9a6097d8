/**
 * The demo of the Leases page: five real processes that campaign in one election on a SQLite file in a temporary folder, and
 * write to a resource with a fence and to one without. A user may kill, pause, block and restart each of them.
 *
 * Guaranteed: after `close`, and also after any death of this process, no process and no file of the demo is left, as
 * base/node/kept-processes.ts says.
 */
import { join } from 'node:path';
import { InputError } from '@hustings/base';
import { KeptProcesses } from '@hustings/base/node';
import {
  ACTIONS,
  type DemoAction,
  type DemoFault,
  type DemoFaultType,
  type DemoSnapshot,
} from '../model/leases/demo-snapshot.ts';
import { DemoCandidate } from './demo-candidate.ts';
import type { FromWorker } from './demo-worker.ts';
import { ResourceLog } from './resource-log.ts';

/** How the demo differs from its defaults. */
export interface DemoOptions {
  /** 3 seconds by default: long enough to read, short enough to wait for. */
  readonly ttlMs?: number;
  /** How long each half of an entry takes; 300 ms by default. */
  readonly stepMs?: number;
}

/** The election of the demo. */
export const DEMO_ELECTION = 'nightly-report';
const CANDIDATES = 5;
const MAX_FAULTS = 200;

export class Demo {
  readonly #processes: KeptProcesses;
  readonly #candidates: readonly DemoCandidate[];
  readonly #ledger: ResourceLog;
  readonly #file: ResourceLog;
  readonly #listeners = new Set<() => void>();
  #faults: DemoFault[] = [];
  #closing: Promise<void> | null = null;

  private constructor(processes: KeptProcesses, { ttlMs = 3_000, stepMs = 300 }: DemoOptions) {
    this.#processes = processes;
    const ledger = join(this.folder, 'ledger');
    const file = join(this.folder, 'file');
    this.#ledger = new ResourceLog(ledger);
    this.#file = new ResourceLog(file);
    const common = { name: DEMO_ELECTION, store: this.storeUrl, ttlMs, stepMs, ledger, file };
    this.#candidates = Array.from({ length: CANDIDATES }, (_, index) => {
      const id = `worker-${index + 1}`;
      const owner = {
        onMessage: (message: FromWorker) => this.#take(id, message),
        onFault: (type: DemoFaultType) => this.#note(id, type),
      };
      return new DemoCandidate(processes, { ...common, id }, owner);
    });
  }

  /** Resolves when the processes are started. They elect a leader by themselves. */
  static async start(options: DemoOptions = {}): Promise<Demo> {
    const demo = new Demo(await KeptProcesses.open('hustings-demo-'), options);
    for (const candidate of demo.#candidates) candidate.start();
    return demo;
  }

  get folder(): string {
    return this.#processes.folder;
  }

  get storeUrl(): string {
    return `sqlite:${join(this.folder, 'leases.db')}`;
  }

  get snapshot(): DemoSnapshot {
    return {
      processes: this.#candidates.map(({ view }) => view),
      faults: this.#faults,
      ledger: this.#ledger.snapshot,
      file: this.#file.snapshot,
    };
  }

  /** Calls `listener` after each change. Returns a function that ends this. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the action has taken effect. Rejects with an `InputError` if it does not apply. */
  async act(id: string, action: DemoAction): Promise<void> {
    const candidate = this.#candidates.find(({ view }) => view.id === id);
    if (candidate === undefined) {
      const ids = this.#candidates.map(({ view }) => view.id).join(', ');
      throw new InputError(`the process must be one of ${ids}, not ${JSON.stringify(id)}`);
    }
    const { condition } = candidate.view;
    if (!ACTIONS[condition].includes(action)) {
      throw new InputError(
        `${id} is ${condition}; the actions that apply are ${ACTIONS[condition].join(', ')}`,
      );
    }
    await candidate[action]();
  }

  /** Ends all processes and removes the folder. */
  close(): Promise<void> {
    this.#listeners.clear();
    this.#closing ??= this.#processes.close();
    return this.#closing;
  }

  #take(id: string, message: FromWorker): void {
    if (message.type === 'wrote') {
      this.#ledger.read();
      this.#file.read();
    }
    if (message.type === 'refused') {
      const { token, entry, atMs } = message;
      this.#ledger.refuse({ token, id, entry, atMs });
    }
    this.#changed();
  }

  #note(id: string, type: DemoFaultType): void {
    this.#faults = [{ id, type, atMs: Date.now() }, ...this.#faults].slice(0, MAX_FAULTS);
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
