/** The handle of one candidate process: starts it, and injects the faults. */
import { type ChildProcess, fork } from 'node:child_process';
import { dirname } from 'node:path';
import { readProcess } from '../../lease/host/process-table.ts';
import type { DemoFaultType, DemoProcess, ProcessCondition } from '../model/leases/demo-snapshot.ts';
import type { FromWorker, ToKeeper, ToWorker, WorkerConfig } from './worker-messages.ts';

export interface CandidateOwner {
  onMessage(message: FromWorker): void;
  onFault(type: DemoFaultType): void;
  tellKeeper(message: ToKeeper): void;
}

/** A process that does not reach the point for a pause within this time is stopped where it is. */
const PAUSE_WAIT_MS = 5_000;
const MOST_ERROR_TEXT = 2_000;

export class DemoCandidate {
  readonly #program: string;
  readonly #config: WorkerConfig;
  readonly #owner: CandidateOwner;
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();
  #condition: ProcessCondition = 'ended';
  #token: string | null = null;
  #renewedMs: number | null = null;
  #errors = '';
  #problem: string | null = null;
  #onStoppable: (() => void) | null = null;
  #isKilled = false;

  constructor(program: string, config: WorkerConfig, owner: CandidateOwner) {
    this.#program = program;
    this.#config = config;
    this.#owner = owner;
  }

  get view(): DemoProcess {
    return {
      id: this.#config.id,
      pid: this.#child?.pid ?? null,
      condition: this.#condition,
      token: this.#token,
      renewedMs: this.#renewedMs,
      problem: this.#problem,
    };
  }

  start(): void {
    // A session of its own: Ctrl-C in the terminal reaches the server alone, and successors can prove the death of the whole
    // session. Without the variables of hustings, of which one may hold a password.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('HUSTINGS_')),
    );
    const child = fork(this.#program, [JSON.stringify(this.#config)], {
      detached: true,
      // One that is killed while it makes a temporary file leaves it in the folder that the keeper removes.
      env: { ...env, TMPDIR: dirname(this.#config.file) },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#condition = 'running';
    this.#problem = null;
    this.#errors = '';
    this.#isKilled = false;
    child.stderr?.on('data', (text) => {
      this.#errors = `${this.#errors}${text}`.slice(-MOST_ERROR_TEXT);
    });
    child.on('message', (message: FromWorker) => this.#take(message));
    this.#ended = new Promise((resolve) => {
      const end = (why: string): void => {
        this.#end(child, why);
        resolve();
      };
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => end(`it ended with ${signal ?? `code ${code}`}`));
    });
    const { pid } = child;
    if (pid !== undefined) {
      this.#owner.tellKeeper({ type: 'watch', pid, startTicks: readProcess(pid)?.startTicks ?? null });
    }
  }

  async pause(): Promise<void> {
    const child = this.#child;
    let timer: NodeJS.Timeout | undefined;
    const stoppable = new Promise<void>((resolve) => {
      this.#onStoppable = resolve;
      timer = setTimeout(resolve, PAUSE_WAIT_MS);
    });
    this.#send({ type: 'pause' });
    await Promise.race([stoppable, this.#ended]);
    clearTimeout(timer);
    this.#onStoppable = null;
    if (this.#child !== child || this.#condition !== 'running') return;
    child?.kill('SIGSTOP');
    this.#set('paused', 'paused');
  }

  async resume(): Promise<void> {
    this.#child?.kill('SIGCONT');
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
    await this.end();
  }

  async restart(): Promise<void> {
    this.start();
    this.#owner.onFault('restarted');
  }

  /** SIGKILL, which also ends a process that is stopped. */
  async end(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  #take(message: FromWorker): void {
    if (message.type === 'stoppable') this.#onStoppable?.();
    if (message.type === 'working') this.#token = message.token;
    if (message.type === 'renewed') this.#renewedMs = message.atMs;
    this.#owner.onMessage(message);
  }

  #end(child: ChildProcess, why: string): void {
    if (this.#child !== child) return;
    this.#child = null;
    this.#token = null;
    this.#renewedMs = null;
    if (child.pid !== undefined) this.#owner.tellKeeper({ type: 'forget', pid: child.pid });
    if (!this.#isKilled) this.#problem = [why, lastLine(this.#errors)].filter(Boolean).join(': ');
    this.#set('ended', this.#isKilled ? 'killed' : 'ended');
  }

  #set(condition: ProcessCondition, fault: DemoFaultType): void {
    this.#condition = condition;
    this.#owner.onFault(fault);
  }

  #send(message: ToWorker): void {
    if (this.#child?.connected) this.#child.send(message, () => {});
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
