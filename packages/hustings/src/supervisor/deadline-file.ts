/**
 * The deadline of the running term, in a file that the command can read. Renewals move the deadline, and the environment of a
 * running process cannot change. A command that continues after a freeze, before its guard does, finds here that its lease
 * is over.
 *
 * Guaranteed: the file is replaced as a whole; its deadline is never later than the lead's own; it is removed after the term.
 * If it cannot be written, an earlier deadline remains. Not guaranteed: that the lease is still valid when a write that
 * follows the check arrives. Only a fence can refuse that write.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HustingsError } from '@hustings/base';
import type { ClockReading } from '../lease/core/clock-reading.ts';

interface TermIdentity {
  readonly name: string;
  readonly token: bigint;
  readonly nonce: string;
}

/** The file exists, but it is not a deadline file or cannot be read. */
export class DeadlineFileError extends HustingsError {
  constructor(path: string, why: string) {
    super(`${path} cannot be read as a deadline file: ${why}; check HUSTINGS_DEADLINE_FILE`, {
      code: 'HUSTINGS_DEADLINE_FILE',
    });
  }
}

export class DeadlineFile {
  #next: ClockReading | null = null;
  #writing: Promise<void> | null = null;

  private constructor(
    readonly path: string,
    private readonly term: TermIdentity,
  ) {}

  /** Null if no folder can be written to, as in a container whose file systems are read-only. */
  static create(
    term: TermIdentity,
    deadline: ClockReading,
    folders: readonly string[] = [tmpdir(), '/dev/shm'],
  ): DeadlineFile | null {
    for (const parent of folders) {
      let path = '';
      try {
        path = join(mkdtempSync(join(parent, 'hustings-lead-')), 'deadline.json');
        // The command may have changed its user.
        chmodSync(dirname(path), 0o755);
        const file = new DeadlineFile(path, term);
        writeFileSync(path, file.#text(deadline), { mode: 0o644 });
        return file;
      } catch {
        if (path !== '') removeDeadlineFile(path);
      }
    }
    return null;
  }

  /** Does not wait for the disk. */
  update(deadline: ClockReading): void {
    this.#next = deadline;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when no update is being written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async close(): Promise<void> {
    this.#next = null;
    await this.written();
    removeDeadlineFile(this.path);
  }

  async #write(): Promise<void> {
    const next = `${this.path}.next`;
    for (let deadline = this.#next; deadline !== null; deadline = this.#next) {
      this.#next = null;
      try {
        await writeFile(next, this.#text(deadline), { mode: 0o644 });
        await rename(next, this.path);
      } catch {}
    }
  }

  #text(deadline: ClockReading): string {
    const { name, token, nonce } = this.term;
    return `${JSON.stringify({ name, token: String(token), nonce, deadline })}\n`;
  }
}

/** For the guard too, whose supervisor may be dead. The folder is that of one term. */
export function removeDeadlineFile(path: string): void {
  try {
    rmSync(dirname(path), { recursive: true, force: true });
  } catch {}
}

/** Null after the term: the file is gone, or belongs to another term. */
export function readDeadline(path: string, nonce: string | undefined): ClockReading | null {
  let content: { nonce?: unknown; deadline?: Partial<Record<keyof ClockReading, unknown>> };
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new DeadlineFileError(path, (error as Error).message);
  }
  const { monoMs, wallMs } = content?.deadline ?? {};
  if (typeof monoMs !== 'number' || typeof wallMs !== 'number') {
    throw new DeadlineFileError(path, 'it has no deadline');
  }
  return content.nonce === nonce ? { monoMs, wallMs } : null;
}
