/**
 * Files that the user names. One that cannot be read is bad input; one that cannot be written is not the user's
 * election's fault. A file is written whole or not at all: beside its place first, then renamed into it.
 */
import {
  closeSync,
  fchmodSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError } from '../kernel/index.ts';
import { EnvironmentError, reasonOf } from './exit.ts';

/** `asker` is the option or the command that was given the path. */
export function readInput(asker: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputError(
      `${asker} expects a file that can be read, got '${path}' (${reasonOf(error)}): correct the path`,
      { cause: error },
    );
  }
}

export interface OutputFile {
  readonly path: string;
  write(text: string): void;
}

/** Finds out now, before any work is done, whether the file can be written. */
export function prepareOutput(option: string, path: string): OutputFile {
  if (path === '') throw new InputError(`--${option} expects the path of a file, got ''`);
  return attempt(path, () => {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw new Error('it is a directory');
    // A device or a pipe has no place that another file could take.
    if (there !== undefined && !there.isFile()) {
      return { path, write: (text) => attempt(path, () => writeFileSync(path, text)) };
    }
    if (there !== undefined) closeSync(openSync(path, 'a'));
    const place = there === undefined ? path : realpathSync(path);
    const beside = join(dirname(place), `.hustings-${process.pid}.tmp`);
    closeSync(openSync(beside, 'wx'));
    rmSync(beside);
    return { path, write: (text) => attempt(path, () => replace(place, beside, text, there)) };
  });
}

function replace(place: string, beside: string, text: string, before: Stats | undefined): void {
  try {
    const file = openSync(beside, 'wx');
    try {
      writeFileSync(file, text);
      if (before !== undefined) fchmodSync(file, before.mode);
    } finally {
      closeSync(file);
    }
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new EnvironmentError(
      `expected to write ${path}, but ${reasonOf(error)}: choose another place`,
      error,
    );
  }
}
