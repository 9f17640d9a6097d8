/**
 * Files that the user names. A file that cannot be read is bad input; one that cannot be written is a failure of the
 * environment.
 *
 * Guarantees: a regular file is replaced completely or not at all, by writing a temporary file and renaming it.
 */
import {
  closeSync,
  fchmodSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EnvironmentError, InputError } from '../hustings-error.ts';
import { reasonOf } from './exit.ts';

/** `option` is the flag or the argument with the path. */
export function readInput(option: string, path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw new InputError(
      `${option} must be a readable file, not '${path}' (${reasonOf(error)}): correct the path`,
      { cause: error },
    );
  }
}

const MAX_INPUT_BYTES = 256 * 2 ** 20;

/** A pipe or a device may have no end. */
function readText(path: string): string {
  const file = openSync(path, 'r');
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for (;;) {
      const part = Buffer.allocUnsafe(2 ** 20);
      const read = readSync(file, part);
      if (read === 0) return Buffer.concat(parts).toString('utf8');
      parts.push(part.subarray(0, read));
      length += read;
      if (length > MAX_INPUT_BYTES) throw new Error(`it has more than ${MAX_INPUT_BYTES / 2 ** 20} MB`);
    }
  } finally {
    closeSync(file);
  }
}

/** A text, or bytes in parts. */
export type FileContent = string | Iterable<Uint8Array>;

export interface OutputFile {
  readonly path: string;
  /** Writes a text, or bytes in parts. */
  write(content: FileContent): void;
}

/** Checks that the file of an option can be written, before any work is done. Null without the option. */
export function outputOf(option: string, path: string | undefined): OutputFile | null {
  return path === undefined ? null : prepareOutput(option, path);
}

export function prepareOutput(option: string, path: string): OutputFile {
  if (path === '') throw new InputError(`--${option} must be the path of a file, not ''`);
  return attempt(path, () => {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw new Error('it is a directory');
    // A device or a pipe cannot be replaced by renaming.
    if (there !== undefined && !there.isFile()) {
      return { path, write: (content) => attempt(path, () => writeDevice(path, content)) };
    }
    if (there !== undefined) closeSync(openSync(path, 'a'));
    const place = there === undefined ? path : realpathSync(path);
    const beside = join(dirname(place), `.hustings-${process.pid}.tmp`);
    closeSync(openSync(beside, 'wx'));
    rmSync(beside);
    return { path, write: (content) => attempt(path, () => replace(place, beside, content, there)) };
  });
}

function writeDevice(path: string, content: FileContent): void {
  const file = openSync(path, 'w');
  try {
    writeTo(file, content);
  } finally {
    closeSync(file);
  }
}

function writeTo(file: number, content: FileContent): void {
  if (typeof content === 'string') {
    writeFileSync(file, content);
    return;
  }
  for (const part of content) {
    for (let from = 0; from < part.length; )
      from += writeSync(file, part, from, Math.min(part.length - from, MAX_BYTES));
  }
}

/** Node writes at most 2 GB at once. */
const MAX_BYTES = 2 ** 30;

function replace(place: string, beside: string, content: FileContent, before: Stats | undefined): void {
  try {
    const file = openSync(beside, 'wx');
    try {
      writeTo(file, content);
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
    throw new EnvironmentError(`${path} cannot be written: ${reasonOf(error)}; choose another place`, error);
  }
}
