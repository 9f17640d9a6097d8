/**
 * Marks in a file, shared by all processes of one machine, which survive a restart. A raised mark is on disk before the call
 * returns. Damaged lines are ignored and reported: see mark-file.ts. file-lock.ts describes the lock and its limits.
 */
import { readFile } from 'node:fs/promises';
import { replaceFile } from '@hustings/base/node';
import { type FenceMarks, isStale } from './fence-marks.ts';
import { type LockOptions, withFileLock } from './file-lock.ts';
import { type MarkFile, markIn, parseMarks, withMark } from './mark-file.ts';

/** The options of `FileFenceMarks`. */
export interface MarkFileOptions extends LockOptions {
  /** Called once for each damage that is found; by default the process emits a warning. */
  readonly onDamage?: ((message: string) => void) | undefined;
}

/** Marks in a file. */
export class FileFenceMarks implements FenceMarks {
  readonly #path: string;
  readonly #options: MarkFileOptions;
  #lastSaid = '';

  constructor(path: string, options: MarkFileOptions = {}) {
    this.#path = path;
    this.#options = options;
  }

  async read(name: string): Promise<bigint> {
    return markIn(await this.#load(), name);
  }

  async raise(name: string, token: bigint): Promise<bigint> {
    const mark = await this.read(name);
    return token > mark ? this.raiseAnd(name, token, async () => {}) : mark;
  }

  /** Raises the mark and, if the token is not stale, runs the work before any other raise. Returns the mark. */
  async raiseAnd(name: string, token: bigint, work: () => Promise<void>): Promise<bigint> {
    return withFileLock(`${this.#path}-lock`, this.#options, async () => {
      const marks = await this.#load();
      const mark = markIn(marks, name);
      if (isStale(token, mark)) return mark;
      // Before the work: after a crash in between, no lower token may follow the work.
      if (token > mark) await replaceFile(this.#path, withMark(marks, { name, token }));
      await work();
      return token;
    });
  }

  async #load(): Promise<MarkFile> {
    let text = '';
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    }
    const marks = parseMarks(text);
    if (marks.badLines.length > 0) this.#say(marks.badLines);
    return marks;
  }

  #say(badLines: readonly number[]): void {
    const message =
      `${this.#path} is damaged at line ${badLines.join(', ')}; these marks are lost and older ones hold, ` +
      'so check for stale writes in between';
    if (message === this.#lastSaid) return;
    this.#lastSaid = message;
    if (this.#options.onDamage) this.#options.onDamage(message);
    else process.emitWarning(message, { code: 'HUSTINGS_FENCE_DAMAGED' });
  }
}
