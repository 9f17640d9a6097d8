/**
 * A file that only the newest term writes. Guaranteed, for all who write it through these functions on one machine: the tokens of the writes
 * never fall (P4), also through kill −9 at any moment, and a reader of a replaced file sees one write or the other, whole.
 * Beside FILE stand FILE.fence, the mark, and FILE.fence-lock, which is empty: both stay.
 *
 * Not guaranteed: anything against writers that go past them. Network file systems are refused. A process that is stopped in
 * the middle of a write holds up the others until it goes on or is killed. A crash in the middle of an append may leave a
 * part of it: append lines, and let readers leave out a last one that has no end.
 */
import { realpath } from 'node:fs/promises';
import { appendToFile, replaceFile } from './durable-file.ts';
import { checkFence, type Fence } from './fence.ts';
import { type RefusalOptions, reporting, staleError } from './fence-error.ts';
import { FileFenceMarks, type MarkFileOptions } from './file-fence-marks.ts';

export interface FencedFileOptions extends Fence, RefusalOptions, MarkFileOptions {}

/** Replaces the file in one step, or throws a `FenceError` and leaves it as it was. On the disk when it returns. */
export function fencedWrite(
  path: string,
  data: string | Uint8Array,
  options: FencedFileOptions,
): Promise<void> {
  return fenced(path, options, (target) => replaceFile(target, data));
}

/** Adds to the end of the file, or throws a `FenceError` and leaves it as it was. On the disk when it returns. */
export function fencedAppend(
  path: string,
  data: string | Uint8Array,
  options: FencedFileOptions,
): Promise<void> {
  return fenced(path, options, (target) => appendToFile(target, data));
}

function fenced(
  path: string,
  options: FencedFileOptions,
  write: (target: string) => Promise<void>,
): Promise<void> {
  return reporting(options, async () => {
    const { name, token } = checkFence(options);
    const target = await targetOf(path);
    const mark = await new FileFenceMarks(`${target}.fence`, options).raiseAnd(name, token, () =>
      write(target),
    );
    if (mark !== token) throw staleError(name, token, mark);
  });
}

/** Where links lead, so that a file which is reached by two names has one mark. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return path;
    throw error;
  }
}
