import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ROOT } from '../test/source/source-file.ts';
import { type Ended, outputOf, RUN_LIMIT_MS, runProcess, startProcess } from './limits/child-process.ts';

export const MAIN = join(ROOT, 'packages/hustings/dist/cli/main.js');

export type { Ended };

/** Runs the built command, as a user does. */
export function hustings(args: readonly string[], cwd?: string, env: NodeJS.ProcessEnv = {}): Ended {
  return runProcess(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, ...env } });
}

/** The end of a command that shared its process with others, and the files in its folder after it. */
export interface EndedAmongMany extends Ended {
  readonly files: readonly string[];
}

/**
 * Runs all of the commands in one process, one after another, when the first result is asked for: see many-commands.mjs. A
 * command is named by its arguments.
 */
export function commandsTogether(
  commands: readonly (readonly string[])[],
  folder: { readonly path: string },
): (args: readonly string[]) => EndedAmongMany {
  let all: readonly EndedAmongMany[] | undefined;
  const run = (): readonly EndedAmongMany[] => {
    const { status, stdout, stderr } = runProcess(
      process.execPath,
      [join(ROOT, 'test-kit/many-commands.mjs'), dirname(MAIN)],
      {
        cwd: folder.path,
        input: JSON.stringify(commands),
      },
    );
    if (status !== 0) throw new Error(`the commands ended with ${status}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const names = commands.map((args) => JSON.stringify(args));
  return (args) => {
    all ??= run();
    const ended = all[names.indexOf(JSON.stringify(args))];
    if (ended === undefined) throw new Error(`${args.join(' ')} is not one of the commands`);
    return ended;
  };
}

/**
 * Runs commands in one process, one after another, while the tests of a file run: see many-commands.mjs. Unlike
 * `commandsTogether`, a command may depend on what the test did with an earlier one.
 */
export function commandProcess(): (args: readonly string[], cwd?: string) => Promise<Ended> {
  let child: ChildProcess | undefined;
  afterAll(() => void child?.kill());
  return (args, cwd = ROOT) =>
    new Promise((resolve, reject) => {
      child ??= startProcess(process.execPath, [join(ROOT, 'test-kit/many-commands.mjs'), dirname(MAIN)], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      const onExit = (): void => {
        child = undefined;
        reject(new Error(`the process of the commands ended at ${args.join(' ')}`));
      };
      child.once('exit', onExit);
      child.once('message', (ended) => {
        child?.off('exit', onExit);
        resolve(ended as Ended);
      });
      child.send({ args, cwd });
    });
}

/** A folder that is there while the tests of a file run. */
export function temporaryFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeAll(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'hustings-cli-'));
  });
  afterAll(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}

export interface Started {
  /** What it has written to stdout so far, line by line. */
  lines(): string[];
  /** What it has written to stderr so far. */
  errors(): string;
  end(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** The same, while the test goes on. */
export function startHustings(
  args: readonly string[],
  cwd?: string,
  env: NodeJS.ProcessEnv = {},
  { main = MAIN, limitMs = RUN_LIMIT_MS } = {},
): Started {
  const child = startProcess(process.execPath, [main, ...args], {
    cwd,
    limitMs: limitMs,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const output = outputOf(child);
  return {
    lines: () => output.stdout.split('\n').slice(0, -1),
    errors: () => output.stderr,
    end: (signal) => void child.kill(signal),
    ended: once(child, 'close').then(([status]) => ({ ...output, status })),
  };
}
