/** One member of a cluster as a process, `hustings node`, with its status over HTTP. */
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAIN } from '../../../../test-kit/command.ts';
import { runToSuccess, startProcess } from '../../../../test-kit/limits/child-process.ts';
import { RunningProcess } from '../../../base/src/node/running-process.ts';
import type { ClusterNodeStatus } from '../../src/host/node-status.ts';

const JUMPING_CLOCK = fileURLToPath(new URL('./jumping-clock.mjs', import.meta.url));

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

export class MemberProcess extends RunningProcess {
  readonly id: number;
  /** What it has printed. */
  readonly lines: string[] = [];
  /** Where it serves its status. */
  url: string | null = null;
  readonly #clockFile: string;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor({ args, folder, id, main = MAIN }: MemberProcessOptions) {
    const clockFile = join(folder, `clock-${id}`);
    // It ends with the pipe of its stdin, so that nothing is left behind if this process is killed.
    super(
      startProcess(process.execPath, ['--import', JUMPING_CLOCK, main, ...args], {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...process.env, HUSTINGS_WITH_PARENT: '1', HUSTINGS_TEST_CLOCK: clockFile },
      }),
    );
    this.id = id;
    this.#clockFile = clockFile;
    void this.end.then(() => this.#agent.destroy());
  }

  /** Resolves when it is up. Rejects if it ends before. */
  static async start(options: MemberProcessOptions): Promise<MemberProcess> {
    const started = new MemberProcess(options);
    const up = new Promise<void>((resolve) => {
      started.onMessage((line: { readonly type: string; readonly url?: string }) => {
        started.lines.push(JSON.stringify(line));
        if (line.type !== 'up') return;
        started.url = line.url ?? null;
        resolve();
      });
    });
    const ended = await Promise.race([up, started.end]);
    if (ended !== undefined)
      throw new Error(`member ${options.id} has ended (${ended.code}): ${started.errors}`);
    return started;
  }

  /** Its wall clock jumps. */
  jumpClock(byMs: number): void {
    writeFileSync(this.#clockFile, `${byMs}`);
    this.signal('SIGUSR2');
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
      get(`${this.url}status`, { agent: this.#agent }, (response) => {
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
}
