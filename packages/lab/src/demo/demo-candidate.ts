/** The handle of one candidate process: starts it, and injects the faults. */
import { fileURLToPath } from 'node:url';
import type { KeptProcesses, RunningProcess } from '@hustings/base/node';
import type { DemoFaultType, DemoProcess, ProcessCondition } from '../model/leases/demo-snapshot.ts';
import type { FromWorker, ToWorker, WorkerConfig } from './demo-worker.ts';

export interface CandidateOwner {
  onMessage(message: FromWorker): void;
  onFault(type: DemoFaultType): void;
}

/** A process that does not reach the point for a pause within this time is stopped where it is. */
const PAUSE_WAIT_MS = 5_000;
const WORKER = fileURLToPath(new URL('./demo-worker.js', import.meta.url));

export class DemoCandidate {
  readonly #processes: KeptProcesses;
  readonly #config: WorkerConfig;
  readonly #owner: CandidateOwner;
  #process: RunningProcess | null = null;
  #condition: ProcessCondition = 'ended';
  #token: string | null = null;
  #renewedMs: number | null = null;
  #problem: string | null = null;
  #onStoppable: (() => void) | null = null;
  #isKilled = false;

  constructor(processes: KeptProcesses, config: WorkerConfig, owner: CandidateOwner) {
    this.#processes = processes;
    this.#config = config;
    this.#owner = owner;
  }

  get view(): DemoProcess {
    return {
      id: this.#config.id,
      pid: this.#process?.pid ?? null,
      condition: this.#condition,
      token: this.#token,
      renewedMs: this.#renewedMs,
      problem: this.#problem,
    };
  }

  start(): void {
    // Without the variables of hustings, of which one may hold a password.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('HUSTINGS_')),
    );
    // A process that is killed while it makes a temporary file leaves it in the folder that is removed.
    const started = this.#processes.start([WORKER, JSON.stringify(this.#config)], 'channel', {
      ...env,
      TMPDIR: this.#processes.folder,
    });
    this.#process = started;
    this.#condition = 'running';
    this.#problem = null;
    this.#isKilled = false;
    started.onMessage((message: FromWorker) => this.#take(message));
    void started.end.then(({ reason }) => this.#end(reason));
  }

  async pause(): Promise<void> {
    const paused = this.#process;
    let timer: NodeJS.Timeout | undefined;
    const stoppable = new Promise<void>((resolve) => {
      this.#onStoppable = resolve;
      timer = setTimeout(resolve, PAUSE_WAIT_MS);
    });
    this.#send({ type: 'pause' });
    await Promise.race([stoppable, paused?.end]);
    clearTimeout(timer);
    this.#onStoppable = null;
    if (this.#process !== paused || this.#condition !== 'running') return;
    void paused?.pause();
    this.#set('paused', 'paused');
  }

  async resume(): Promise<void> {
    this.#process?.resume();
    this.#set('running', 'resumed');
  }

  async block(): Promise<void> {
    this.#send({ type: 'block', blocked: true });
    this.#set('blocked', 'blocked');
  }

  async unblock(): Promise<void> {
    this.#send({ type: 'block', blocked: false });
    this.#set('running', 'unblocked');
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    await this.#process?.kill();
  }

  async restart(): Promise<void> {
    this.start();
    this.#owner.onFault('restarted');
  }

  #take(message: FromWorker): void {
    if (message.type === 'stoppable') this.#onStoppable?.();
    if (message.type === 'working') this.#token = message.token;
    if (message.type === 'renewed') this.#renewedMs = message.atMs;
    this.#owner.onMessage(message);
  }

  #end(reason: string): void {
    this.#process = null;
    this.#token = null;
    this.#renewedMs = null;
    if (!this.#isKilled) this.#problem = reason;
    this.#set('ended', this.#isKilled ? 'killed' : 'ended');
  }

  #set(condition: ProcessCondition, fault: DemoFaultType): void {
    this.#condition = condition;
    this.#owner.onFault(fault);
  }

  #send(message: ToWorker): void {
    this.#process?.send(message);
  }
}
