/**
 * Runs commands when a term begins and when it is over, one at a time and in the order of the events.
 *
 * Guaranteed: no command delays the term, its loss or what the service is told; one that runs for longer than the limit is
 * killed with its process group; the command of a term that is over is killed before the command for the end is run.
 *
 * Not guaranteed: that the command for the end runs if this process is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Lead } from '../elector/lead.ts';
import { childEnvironment } from '../supervisor/child-environment.ts';
import type { TermObserver } from './campaign.ts';
import type { CampaignEnd } from './campaign-news.ts';

export interface HookOptions {
  /** A program and its arguments, without a shell. */
  readonly onElected: readonly string[] | null;
  readonly onLost: readonly string[] | null;
  readonly timeoutMs: number;
  readonly env: NodeJS.ProcessEnv;
  readonly warn: (message: string) => void;
}

export class Hooks implements TermObserver {
  #last: Promise<void> = Promise.resolve();
  /** The command for an elected leader. That for the end of a term is never cut short by the next term. */
  #starting: ChildProcess | null = null;
  /** The tokens of the terms that are not over. */
  readonly #terms = new Set<bigint>();

  constructor(private readonly options: HookOptions) {}

  elected(lead: Lead): void {
    this.#terms.add(lead.token);
    const env = { ...childEnvironment(this.options.env, lead, null), HUSTINGS_EVENT: 'elected' };
    this.#enqueue(async () => {
      if (this.#terms.has(lead.token)) await this.#run('elected', this.options.onElected, env);
    });
  }

  over(lead: Lead, { reason }: CampaignEnd): void {
    this.#terms.delete(lead.token);
    if (this.#starting !== null) kill(this.#starting);
    const env = {
      ...childEnvironment(this.options.env, lead, null),
      HUSTINGS_EVENT: 'lost',
      HUSTINGS_REASON: reason,
    };
    this.#enqueue(() => this.#run('lost', this.options.onLost, env));
  }

  /** Resolves when no command runs. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #enqueue(run: () => Promise<void>): void {
    this.#last = this.#last.then(run);
  }

  async #run(event: string, command: readonly string[] | null, env: NodeJS.ProcessEnv): Promise<void> {
    if (command === null) return;
    const problem = await this.#outcome(event, command, env).catch(
      (error: NodeJS.ErrnoException) => `cannot be run (${error.code})`,
    );
    this.#starting = null;
    if (problem !== null) this.options.warn(`the command for '${event}', ${command[0]}, ${problem}`);
  }

  /** What went wrong, or null. Rejects if the command cannot be run: spawn throws some errors and emits others. */
  #outcome(
    event: string,
    [program, ...args]: readonly string[],
    env: NodeJS.ProcessEnv,
  ): Promise<string | null> {
    const { timeoutMs } = this.options;
    return new Promise((resolve, reject) => {
      // Its output goes to stderr: stdout belongs to the first line of the sidecar.
      const child = spawn(program, args, { env, stdio: ['ignore', 2, 2], detached: true });
      if (event === 'elected') this.#starting = child;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        kill(child);
      }, timeoutMs);
      child.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        if (isLate) resolve(`was killed after ${timeoutMs} ms`);
        else resolve(code === 0 || signal === 'SIGKILL' ? null : `ended with ${code ?? signal}`);
      });
    });
  }
}

/** With everything in its process group. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {}
}
