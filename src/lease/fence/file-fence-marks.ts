/**
 * Marks in a file, shared by all processes of one machine, and there after a restart. A raise is on the disk before it is answered.
 * A damaged file is read as far as it is good, and said: see mark-file.ts. For the lock, and its limits, see file-lock.ts.
 */
import { readFile } from 'node:fs/promises';
import { replaceFile } from './durable-file.ts';
import { type FenceMarks, isStale } from './fence-marks.ts';
import { type LockOptions, withFileLock } from './file-lock.ts';
import { type MarkFile, markIn, parseMarks, withMark } from './mark-file.ts';

export interface MarkFileOptions extends LockOptions {
  /** Told once of every damage that is found; a warning of the process if not given. */
  readonly onDamage?: ((message: string) => void) | undefined;
}

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

  /** Raises, and if the token is not stale does the work before any other raise. Answers with the mark. */
  async raiseAnd(name: string, token: bigint, work: () => Promise<void>): Promise<bigint> {
    return withFileLock(`${this.#path}-lock`, this.#options, async () => {
      const marks = await this.#load();
      const mark = markIn(marks, name);
      if (isStale(token, mark)) return mark;
      // Before the work: a crash between the two must not leave work that a lower token may follow.
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
      `${this.#path} is damaged at line ${badLines.join(', ')}: these marks are lost, older ones hold; ` +
      'see whether a stale write came in between';
    if (message === this.#lastSaid) return;
    this.#lastSaid = message;
    if (this.#options.onDamage) this.#options.onDamage(message);
    else process.emitWarning(message, { code: 'HUSTINGS_FENCE_DAMAGED' });
  }
}
