/**
 * Processes and a folder for their files.
 *
 * Guaranteed: after `close`, and after the end of this process by any means, none of the processes runs and the folder is
 * removed. A keeper, keeper-main.ts, sees the end of this process.
 * Not guaranteed: if this process and the keeper are killed at the same time, processes that are paused and the folder stay.
 */
import { type StdioOptions, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KeeperMessage } from './keeper-main.ts';
import { readProcess } from './process-table.ts';
import { RunningProcess } from './running-process.ts';

const KEEPER_LIMIT_MS = 10_000;

const STDIO = { channel: ['ignore', 'ignore', 'pipe', 'ipc'], lines: 'pipe' } satisfies Record<
  string,
  StdioOptions
>;

export class KeptProcesses {
  readonly folder: string;
  readonly #keeper: RunningProcess;
  readonly #running = new Set<RunningProcess>();

  private constructor(folder: string) {
    this.folder = folder;
    // Not at the head of the file: a bundle in CommonJS has no URL of this module.
    const keeper = fileURLToPath(new URL('./keeper-main.js', import.meta.url));
    this.#keeper = startNode([keeper, folder], ['pipe', 'ignore', 'ignore'], process.env);
  }

  /** The name of the folder begins with `prefix`. */
  static async open(prefix: string): Promise<KeptProcesses> {
    return new KeptProcesses(await mkdtemp(join(tmpdir(), prefix)));
  }

  /**
   * Runs a program with Node. Messages pass over a channel, or over stdin and stdout. The program must end when that does: this
   * process may end before it has notified the keeper.
   */
  start(args: readonly string[], messages: keyof typeof STDIO, env: NodeJS.ProcessEnv): RunningProcess {
    const started = startNode(args, STDIO[messages], env);
    const { pid } = started;
    this.#running.add(started);
    if (pid > 0) this.#notify({ pid, startTicks: readProcess(pid)?.startTicks ?? null });
    void started.end.then(() => {
      this.#running.delete(started);
      this.#notify({ gone: pid });
    });
    return started;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((each) => each.kill()));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    await this.#keeper.endInput(KEEPER_LIMIT_MS);
  }

  #notify(message: KeeperMessage): void {
    this.#keeper.send(message);
  }
}

/** Starts Node in a session of its own, so that Ctrl-C in the terminal reaches this process alone. */
function startNode(args: readonly string[], stdio: StdioOptions, env: NodeJS.ProcessEnv): RunningProcess {
  return new RunningProcess(spawn(process.execPath, args, { stdio, env, detached: true }));
}
