/**
 * The one place where a test starts a process: test/source/limits.ts sees to it.
 *
 * Guaranteed: a process that is still running at its limit is killed with SIGKILL, which no program can catch, and so are its
 * process group and its descendants. The error names the command and shows its last output. `spawnSync` alone guarantees
 * neither: without a limit it blocks the runner for ever, and by default its limit sends SIGTERM once and waits again.
 * Not guaranteed: that the processes of a worker end that was itself killed. The runner ends those: running-files.ts.
 */
import {
  type ChildProcess,
  type SpawnOptions,
  type SpawnSyncOptions,
  spawn,
  spawnSync,
} from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { sendSignal } from '../../packages/base/src/node/process-table.ts';
import { FILE_LIMIT_MS } from './file-limit.ts';
import { killTree } from './process-tree.ts';

export const RUN_LIMIT_MS = 60_000;
const MAX_OUTPUT_BYTES = 1 << 28;
const SHOWN_CHARACTERS = 2_000;

/** What a process did. */
export interface Ended {
  /** Null if a signal ended the process, or if the process could not be started. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions
  extends Omit<SpawnSyncOptions, 'timeout' | 'killSignal' | 'encoding' | 'detached'> {
  readonly limitMs?: number;
}

/** Runs a program to its end and blocks meanwhile. A program that does not exist ends with the status null. */
export function runProcess(
  command: string,
  args: readonly string[],
  { limitMs = RUN_LIMIT_MS, ...options }: RunOptions = {},
): Ended {
  const ended = spawnSync(command, args, {
    maxBuffer: MAX_OUTPUT_BYTES,
    ...options,
    encoding: 'utf8',
    timeout: limitMs,
    killSignal: 'SIGKILL',
    // A group of its own, so that what the program has started ends with it.
    detached: true,
  } as SpawnSyncOptions & { encoding: 'utf8' });
  const { pid, status, error } = ended;
  const [stdout, stderr] = [ended.stdout ?? '', ended.stderr ?? ''];
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT') {
    killGroup(pid);
    throw new Error(overdue([command, ...args], limitMs, `${stdout}${stderr}`));
  }
  return { status, stdout, stderr };
}

/** The same for a program that must succeed. */
export function runToSuccess(command: string, args: readonly string[], options?: RunOptions): Ended {
  const ended = runProcess(command, args, options);
  if (ended.status === 0) return ended;
  const { status, stdout, stderr } = ended;
  throw new Error(
    `${shown([command, ...args])} ended with ${status ?? 'no status'}: ${last(`${stdout}${stderr}`)}`,
  );
}

type Stdio = string | readonly unknown[];
type Piped<Kind, Stream> = Kind extends 'pipe' ? Stream : null;
type Stream<Kind extends Stdio, Index extends number, Type> = Kind extends readonly unknown[]
  ? Piped<Kind[Index], Type>
  : Piped<Kind, Type>;
/** A child process whose streams are known to be there where its `stdio` says 'pipe'. */
export type StartedProcess<Kind extends Stdio> = ChildProcess & {
  stdin: Stream<Kind, 0, Writable>;
  stdout: Stream<Kind, 1, Readable>;
  stderr: Stream<Kind, 2, Readable>;
};

export interface StartOptions<Kind extends Stdio>
  extends Omit<SpawnOptions, 'timeout' | 'killSignal' | 'signal' | 'stdio'> {
  readonly limitMs?: number;
  readonly stdio?: Kind;
}

/** Starts a program while the test goes on. By default, its limit is that of a whole test file. */
export function startProcess<const Kind extends Stdio = 'pipe'>(
  command: string,
  args: readonly string[],
  { limitMs = FILE_LIMIT_MS, ...options }: StartOptions<Kind> = {},
): StartedProcess<Kind> {
  const child = spawn(command, args, options as SpawnOptions);
  const timer = setTimeout(() => {
    process.stderr.write(`${overdue([command, ...args], limitMs, '')}\n`);
    if (options.detached === true) killGroup(child.pid);
    if (child.pid !== undefined) killTree(child.pid);
  }, limitMs);
  timer.unref();
  child.once('exit', () => clearTimeout(timer));
  return child as StartedProcess<Kind>;
}

/** What a started process has written so far to each stream, and to both. */
export function outputOf(child: ChildProcess): { stdout: string; stderr: string; both: string } {
  const output = { stdout: '', stderr: '', both: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text;
      output.both += text;
    });
  return output;
}

function killGroup(pid: number | undefined): void {
  if (pid !== undefined && pid > 1) sendSignal(-pid, 'SIGKILL');
}

function overdue(command: readonly string[], limitMs: number, output: string): string {
  const text = output === '' ? '' : `; its last output:\n${last(output)}`;
  return `${shown(command)} was still running after ${limitMs} ms and was killed${text}`;
}

const shown = (command: readonly string[]): string => command.join(' ').slice(0, SHOWN_CHARACTERS);
const last = (text: string): string => text.trim().slice(-SHOWN_CHARACTERS);
