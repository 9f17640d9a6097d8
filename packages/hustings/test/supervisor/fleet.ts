import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { livingInSession, sendSignal } from '../../../base/src/node/process-table.ts';
import { RunningProcess } from '../../../base/src/node/running-process.ts';

export type Reaction = 'exits-on-sigterm' | 'ignores-sigterm';

/**
 * Every command takes the same lock, and everything that it forks holds it too: a command that does not get the lock
 * overlaps with another one. With `ignores-sigterm` it forks three processes, one of them into its own process group.
 */
const SCRIPT = `
  exec 9>>"$DIR/lock"
  flock -n 9 || { echo "overlap $LABEL $HUSTINGS_TOKEN $(date +%s%3N) $PPID" >> "$DIR/log"; exit 99; }
  if [ "$REACTION" = ignores-sigterm ]; then
    trap '' TERM
    sleep 1000 & set -m; sleep 1000 & set +m; sleep 1000 &
  else trap 'exit 0' TERM; fi
  echo "start $LABEL $HUSTINGS_TOKEN $(date +%s%3N) $PPID" >> "$DIR/log"
  while :; do sleep 0.05; done`;

/** A line that a command wrote when it started. */
export interface Start {
  readonly type: 'start' | 'overlap';
  readonly label: string;
  readonly token: bigint;
  readonly atMs: number;
  /** The process that started the command: its guard. */
  readonly guard: number;
}

/** Several supervisors of one election, in one folder. */
export class Fleet {
  readonly supervisors = new Map<string, RunningProcess>();

  constructor(
    readonly folder: string,
    readonly reaction: Reaction,
    readonly ttl: string,
  ) {
    mkdirSync(folder, { recursive: true });
  }

  /** A module that Node loads before the supervisor. */
  preload: string | null = null;

  launch(label: string, ...options: string[]): void {
    const preload = this.preload === null ? [] : ['--import', this.preload];
    const store = `sqlite:${join(this.folder, 'leases.db')}`;
    const args = ['lead', 'x', '--store', store, '--id', label, '--ttl', this.ttl, ...options];
    const supervisor = startProcess(
      process.execPath,
      [...preload, MAIN, ...args, '--', 'bash', '--norc', '-c', SCRIPT],
      {
        // `end` kills guards before they can remove their files.
        env: {
          ...process.env,
          TMPDIR: this.folder,
          DIR: this.folder,
          LABEL: label,
          REACTION: this.reaction,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    this.supervisors.set(label, new RunningProcess(supervisor));
  }

  stderrOf(label: string): string {
    return this.supervisors.get(label)?.errors ?? '';
  }

  /** The lines that the commands wrote, in order. */
  lines(): Start[] {
    const path = join(this.folder, 'log');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [type, label, token, atMs, guard] = line.split(' ');
        return {
          type: type as Start['type'],
          label,
          token: BigInt(token),
          atMs: Number(atMs),
          guard: Number(guard),
        };
      });
  }

  /** The `count`th start, counted from 1. */
  start(count: number): Promise<Start> {
    return eventually(
      `${count} starts\n${[...this.supervisors].map(([label, { errors }]) => `${label}: ${errors}`).join('\n')}`,
      () => this.lines()[count - 1],
    );
  }

  /** Kills everything, whatever the test has done before. */
  async end(): Promise<void> {
    for (const supervisor of this.supervisors.values()) void supervisor.kill();
    const left = () => this.lines().flatMap(({ guard }) => livingInSession(guard));
    await eventually('every command is dead', () => {
      // Correct guards do this themselves; mutants may not.
      for (const { pid } of left()) sendSignal(pid, 'SIGKILL');
      return left().length === 0;
    });
  }
}
