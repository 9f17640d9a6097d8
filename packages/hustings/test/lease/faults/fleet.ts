/** Candidates as real processes, each with its own network connection to the store. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../../../../../test-kit/limits/child-process.ts';
import { startTcpProxy, type TcpProxy } from '../../../../../test-kit/servers/index.ts';
import { RunningProcess } from '../../../../base/src/node/running-process.ts';

const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url));

export interface FleetPlan {
  readonly folder: string;
  readonly name: string;
  readonly size: number;
  readonly ttlMs: number;
  readonly storeUrl: string;
  /** Null for a store without a network. */
  readonly storePort: number | null;
  /** Null: nothing is sent. */
  readonly sinkUrl: string | null;
  readonly fenceKey: string | null;
  /** Candidates that do not ask whether they still lead. */
  readonly careless: boolean;
  /** How many candidates may lead at once; 1 by default. */
  readonly slots?: number;
}

export class Worker {
  #process: RunningProcess | null = null;

  private constructor(
    readonly id: string,
    readonly journal: string,
    readonly proxy: TcpProxy | null,
    private readonly plan: FleetPlan,
  ) {}

  static async make(plan: FleetPlan, id: string): Promise<Worker> {
    const proxy = plan.storePort === null ? null : await startTcpProxy(plan.storePort);
    const journal = join(plan.folder, `${id}.journal`);
    closeSync(openSync(journal, 'a'));
    return new Worker(id, journal, proxy, plan);
  }

  start(): void {
    const { storeUrl, name, ttlMs, sinkUrl, fenceKey, careless, slots } = this.plan;
    const store = this.proxy === null ? storeUrl : this.proxy.url(storeUrl);
    const config = {
      ...{ store, name, id: this.id, ttlMs, journal: this.journal, sink: sinkUrl },
      ...{ fenceKey, careless, slots },
    };
    this.#process = new RunningProcess(
      startProcess(process.execPath, [WORKER, JSON.stringify(config)], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        // A session of its own: in that of the tests, what others start would put off the proof that it has ended.
        detached: true,
      }),
    );
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM' | 'SIGKILL'): void {
    this.#process?.signal(signal);
  }

  send(message: { readonly blockMs: number } | { readonly stepMs: number }): void {
    this.#process?.send(message);
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.proxy?.close();
  }
}

export async function startFleet(plan: FleetPlan): Promise<Worker[]> {
  const workers = await Promise.all(
    Array.from({ length: plan.size }, (_, i) => Worker.make(plan, `worker-${i}`)),
  );
  for (const worker of workers) worker.start();
  return workers;
}
