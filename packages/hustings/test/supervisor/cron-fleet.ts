import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { livingInSession, sendSignal } from '../../../base/src/node/process-table.ts';
import { RunningProcess } from '../../../base/src/node/running-process.ts';

/** Writes a line at its start, works for $WORK seconds, and writes a line at its end. Every fifth run fails. */
const SCRIPT = `
  tick=$(date -ud "$HUSTINGS_TICK" +%s)
  echo "start $tick $HUSTINGS_TOKEN $LABEL $PPID" >> "$DIR/log"
  sleep "$WORK"
  code=$(( tick / EVERY % 5 == 0 ))
  echo "end $tick $HUSTINGS_TOKEN $LABEL $PPID" >> "$DIR/log"
  exit $code`;

/** A step of the wall clock of one process. */
const STEPPED_CLOCK = `
  import { readFileSync } from 'node:fs';
  const now = Date.now;
  let stepMs = 0;
  Date.now = () => now() + stepMs;
  const look = () => {
    try {
      stepMs = Number(readFileSync(process.env.STEP_FILE, 'utf8'));
    } catch {}
  };
  look();
  setInterval(look, 100).unref();`;

/** A line that a command wrote. */
export interface TickLine {
  readonly type: 'start' | 'end';
  readonly tickMs: number;
  readonly token: bigint;
  readonly label: string;
  readonly guard: number;
}

/** Processes of `hustings cron` in one election. */
export class CronFleet {
  readonly #processes = new Map<string, RunningProcess>();

  constructor(
    readonly folder: string,
    readonly storeUrl: string,
    readonly everyS: number,
    readonly workS: number,
    readonly options: readonly string[],
  ) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'clock.mjs'), STEPPED_CLOCK);
  }

  launch(label: string): void {
    const expression = `*/${this.everyS} * * * * *`;
    const args = ['cron', 'job', '--cron', expression, '--store', this.storeUrl, '--id', label];
    const command = ['--', 'bash', '--norc', '-c', SCRIPT];
    const supervisor = startProcess(
      process.execPath,
      ['--import', join(this.folder, 'clock.mjs'), MAIN, ...args, ...this.options, ...command],
      {
        env: {
          ...process.env,
          ...{ TMPDIR: this.folder, DIR: this.folder, LABEL: label },
          ...{ WORK: `${this.workS}`, EVERY: `${this.everyS}`, STEP_FILE: this.#stepFile(label) },
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    this.#processes.set(label, new RunningProcess(supervisor));
  }

  signal(label: string, signal: NodeJS.Signals): void {
    this.#processes.get(label)?.signal(signal);
  }

  isAlive(label: string): boolean {
    return this.#processes.get(label)?.isRunning === true;
  }

  /** Sets the wall clock of a process forward, or back. */
  step(label: string, stepMs: number): void {
    writeFileSync(this.#stepFile(label), `${stepMs}`);
  }

  lines(): TickLine[] {
    const path = join(this.folder, 'log');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [type, tick, token, label, guard] = line.split(' ');
        const tickMs = Number(tick) * 1_000;
        return { type: type as TickLine['type'], tickMs, token: BigInt(token), label, guard: Number(guard) };
      });
  }

  starts(): TickLine[] {
    return this.lines().filter(({ type }) => type === 'start');
  }

  /** The `count`th start, counted from 1. */
  start(count: number): Promise<TickLine> {
    const errors = [...this.#processes].map(([label, supervisor]) => `${label}: ${supervisor.errors}`);
    return eventually(`${count} starts\n${errors.join('\n')}`, () => this.starts()[count - 1], 60_000);
  }

  /** Kills everything. */
  async end(): Promise<void> {
    for (const supervisor of this.#processes.values()) void supervisor.kill();
    const left = () => this.lines().flatMap(({ guard }) => livingInSession(guard));
    await eventually('every command is dead', () => {
      for (const { pid } of left()) sendSignal(pid, 'SIGKILL');
      return left().length === 0;
    });
  }

  #stepFile(label: string): string {
    return join(this.folder, `step-${label}`);
  }
}

/** The ticks that started more than once. */
export function startedTwice(lines: readonly TickLine[]): number[] {
  const starts = lines.filter(({ type }) => type === 'start').map(({ tickMs }) => tickMs);
  return starts.filter((tick, at) => starts.indexOf(tick) !== at);
}
