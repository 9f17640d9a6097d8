/** One member of a cluster as a process, `hustings node`, with its status over HTTP. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ClusterNodeStatus } from '../../../src/cluster/host/node-status.ts';
import { MAIN } from '../../cli/command.ts';
import { runToSuccess, startProcess } from '../../limits/child-process.ts';

const JUMPING_CLOCK = fileURLToPath(new URL('./jumping-clock.mjs', import.meta.url));

/** How a process ended. */
export interface MemberExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

/** A status, and when it was asked for and answered by the monotonic clock of the test. */
export interface StatusSample {
  readonly status: ClusterNodeStatus;
  readonly sentMs: number;
  readonly receivedMs: number;
}

export interface MemberProcessOptions {
  readonly id: number;
  /** The arguments after `hustings`. */
  readonly args: readonly string[];
  /** For files of the test. */
  readonly folder: string;
  /** The program, instead of `hustings`. */
  readonly main?: string | undefined;
}

export class MemberProcess {
  readonly id: number;
  readonly exit: Promise<MemberExit>;
  /** What it has printed. */
  readonly lines: string[] = [];
  isStopped = false;
  private readonly child: ChildProcess;
  private readonly clockFile: string;
  private readonly agent = new Agent({ keepAlive: true });
  /** Where it serves its status. */
  url: string | null = null;
  private hasEnded = false;

  private constructor({ args, folder, id, main = MAIN }: MemberProcessOptions) {
    this.id = id;
    this.clockFile = join(folder, `clock-${id}`);
    // It ends with the pipe of its stdin, so that nothing is left behind if this process is killed.
    this.child = startProcess(process.execPath, ['--import', JUMPING_CLOCK, main, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, HUSTINGS_WITH_PARENT: '1', HUSTINGS_TEST_CLOCK: this.clockFile },
    });
    this.child.stdin?.on('error', () => undefined);
    let stderr = '';
    this.child.stderr?.on('data', (data) => {
      stderr += data;
    });
    this.exit = once(this.child, 'close').then(([code, signal]) => {
      this.hasEnded = true;
      this.agent.destroy();
      return { code, signal, stderr };
    });
  }

  /** Resolves when it is up. Rejects if it ends before. */
  static async start(options: MemberProcessOptions): Promise<MemberProcess> {
    const started = new MemberProcess(options);
    const lines = createInterface({ input: started.child.stdout as NodeJS.ReadableStream });
    const up = new Promise<void>((resolve) => {
      lines.on('line', (text) => {
        started.lines.push(text);
        const line = JSON.parse(text) as { type: string; url?: string };
        if (line.type !== 'up') return;
        started.url = line.url ?? null;
        resolve();
      });
    });
    const ended = await Promise.race([up, started.exit]);
    if (ended !== undefined)
      throw new Error(`member ${options.id} has ended (${ended.code}): ${ended.stderr}`);
    return started;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isRunning(): boolean {
    return !this.hasEnded;
  }

  /** kill −9; resolves when it has ended. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }

  /** SIGSTOP; resolves when it stands still. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.child.kill('SIGSTOP');
    while (existsSync('/proc/self/stat') && this.isRunning && !/\) T /.test(this.stat())) await sleep(1);
  }

  resume(): void {
    this.isStopped = false;
    this.child.kill('SIGCONT');
  }

  /** Its wall clock jumps. */
  jumpClock(byMs: number): void {
    writeFileSync(this.clockFile, `${byMs}`);
    this.child.kill('SIGUSR2');
  }

  /** No file of it may grow or be written from now on: the system answers as that of a user whose quota is used up. */
  fillDisk(): void {
    runToSuccess('prlimit', ['--pid', `${this.pid}`, '--fsize=0:']);
  }

  /** Null if it has ended. A process that stands still answers when it goes on. */
  sample(): Promise<StatusSample | null> {
    if (this.url === null || !this.isRunning) return Promise.resolve(null);
    const sentMs = performance.now();
    return new Promise((resolve) => {
      get(`${this.url}status`, { agent: this.agent }, (response) => {
        let text = '';
        response.on('data', (data) => {
          text += data;
        });
        response.on('error', () => resolve(null));
        response.on('end', () => {
          const receivedMs = performance.now();
          resolve({ status: JSON.parse(text) as ClusterNodeStatus, sentMs, receivedMs });
        });
      }).on('error', () => resolve(null));
    });
  }

  private stat(): string {
    try {
      return readFileSync(`/proc/${this.pid}/stat`, 'latin1');
    } catch {
      return ') T ';
    }
  }
}
