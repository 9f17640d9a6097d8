/**
 * A file that only the newest term writes. Guaranteed for all writers on one machine that use these functions: the tokens of
 * the writes never decrease (P4), even with kill −9 at any time, and a reader of a replaced file sees one whole write. Beside
 * FILE are FILE.fence, the mark, and FILE.fence-lock, which is empty. Both stay.
 *
 * Not guaranteed: anything for writers that bypass these functions. Network file systems are refused. A process that is
 * stopped during a write blocks the others until it continues or is killed. A crash during an append may leave a part of it:
 * append lines, and let readers ignore an unterminated last line.
 */
import { realpath } from 'node:fs/promises';
import { appendToFile, replaceFile } from '@hustings/base/node';
import { checkFence, type Fence } from './fence.ts';
import { type RefusalOptions, reporting, staleError } from './fence-error.ts';
import { FileFenceMarks, type MarkFileOptions } from './file-fence-marks.ts';

/** The options of fenced writes to a file. */
export interface FencedFileOptions extends Fence, RefusalOptions, MarkFileOptions {}

/** Replaces the file atomically, or throws a `FenceError` and does not change it. On disk when it returns. */
export function fencedWrite(
  path: string,
  data: string | Uint8Array,
  options: FencedFileOptions,
): Promise<void> {
  return fenced(path, options, (target) => replaceFile(target, data));
}

/** Appends to the file, or throws a `FenceError` and does not change it. On disk when it returns. */
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

/** With links resolved, so that a file with two names has one mark. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return path;
    throw error;
  }
}
