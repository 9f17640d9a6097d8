/**
 * The durable state of a member in one file of two places. A save writes the place that does not hold the newest record, twice,
 * with a sequence number and a checksum each, and syncs both copies. So a crash during a save leaves the other place, which is whole.
 *
 * Guarantees: a save resolves only when the record is on disk. A record that was saved is still read if one of its copies is
 * damaged; `warning` says so, and the copy is written again, so that later damage to the other one loses nothing either. The
 * file has its full length from the start, and names its member and cluster. One that is shorter, in which no record is whole,
 * or that is of another member is refused with the reason, and never taken for that of a member that has never run.
 * Does not notice that the file is missing: see member-folder.ts. Does not protect against a disk that acknowledges a sync and
 * loses it, against damage to both copies of the newest record, which looks like a save that was interrupted, nor against an
 * older copy of the file.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { errorMessage, HustingsError } from '@hustings/base';
import { replaceFile } from '@hustings/base/node';
import type { MemberRecord, MemberStore } from '../runtime/durable-outbox.ts';
import { checkOwner, type FileOwner, LOSS_REMEDY } from './file-owner.ts';

/** The bytes of one copy of a record. */
const COPY = 32_768;
const PLACE = 2 * COPY;
const FORMAT = 'hustings-member-2';

/** A state file that cannot be used, or that cannot be written. */
export class StateFileError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_CLUSTER_STATE', cause });
  }
}

interface Saved {
  readonly sequence: number;
  readonly cluster: string;
  readonly id: number;
  /** Null until the first save. */
  readonly record: MemberRecord | null;
}

/** Keeps the record of a member in a file. */
export class StateFile implements MemberStore {
  /** What was wrong with a copy that was skipped; null if nothing was. */
  warning: string | null = null;
  readonly path: string;
  private readonly owner: FileOwner;
  private sequence = 0;
  private file: FileHandle | null = null;
  /** Saves run one after another. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(path: string, owner: FileOwner) {
    this.path = path;
    this.owner = owner;
  }

  /** Opens the file, which is created if there is none. */
  async load(): Promise<MemberRecord | null> {
    this.file = await this.openFile();
    const bytes = await readStart(this.file, 2 * PLACE + 1);
    if (bytes.length !== 2 * PLACE) {
      throw this.unusable(`it has ${bytes.length > 2 * PLACE ? 'more' : 'fewer'} than ${2 * PLACE} bytes`);
    }
    const copies = [0, 1, 2, 3].map((copy) => parseCopy(bytes.subarray(copy * COPY, (copy + 1) * COPY)));
    const whole = copies.filter((copy): copy is Saved => typeof copy === 'object' && copy !== null);
    const faults = copies.filter((copy): copy is string => typeof copy === 'string');
    const newest = whole.sort((a, b) => b.sequence - a.sequence)[0];
    if (newest === undefined) throw this.unusable(faults[0] ?? 'it is empty');
    checkOwner(this.path, newest, this.owner);
    if (faults.length > 0) this.warning = `${this.path}: a copy of a record is skipped: ${faults.join('; ')}`;
    await this.repair(copies, newest);
    this.sequence = newest.sequence;
    return newest.record;
  }

  save(record: MemberRecord): Promise<void> {
    const saved = this.last.then(() => this.write(record));
    // The next save must not fail because this one did; the runtime stops at the first failure.
    this.last = saved.catch(() => undefined);
    return saved;
  }

  /** Waits for the last save, and closes the file. */
  async close(): Promise<void> {
    await this.last;
    await this.file?.close();
    this.file = null;
  }

  private async write(record: MemberRecord): Promise<void> {
    if (this.file === null) throw new StateFileError(`${this.path} is not open: load it first`);
    const sequence = this.sequence + 1;
    const copy = formatCopy({ ...this.owned(sequence), record });
    await this.writeAt(this.file, Buffer.concat([copy, copy]), (sequence % 2) * PLACE);
    this.sequence = sequence;
  }

  /** Makes the newest record whole twice, and never touches a copy of it that is whole. */
  private async repair(copies: readonly (Saved | string | null)[], newest: Saved): Promise<void> {
    const file = this.file as FileHandle;
    const first = 2 * (newest.sequence % 2);
    for (const copy of [first, first + 1]) {
      const held = copies[copy];
      if (typeof held === 'object' && held?.sequence === newest.sequence) continue;
      await this.writeAt(file, formatCopy(newest), copy * COPY);
    }
    // A process that ended before it had synced the record may have left it in the cache of the system only.
    await file.datasync();
  }

  private async writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
    try {
      await writeWhole(file, bytes, position);
      await file.datasync();
    } catch (error) {
      const text = errorMessage(error);
      throw new StateFileError(`${this.path} could not be written: ${text}`, error);
    }
  }

  private async openFile(): Promise<FileHandle> {
    try {
      return await open(this.path, 'r+');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        throw new StateFileError(`${this.path} cannot be opened`, error);
    }
    try {
      const first = formatCopy({ ...this.owned(0), record: null });
      await replaceFile(this.path, Buffer.concat([first, first, Buffer.alloc(PLACE)]), 0o600);
      return await open(this.path, 'r+');
    } catch (error) {
      throw new StateFileError(`${this.path} cannot be created`, error);
    }
  }

  private owned(sequence: number): Omit<Saved, 'record'> {
    const { cluster, id } = this.owner;
    return { sequence, cluster, id };
  }

  private unusable(why: string): StateFileError {
    return new StateFileError(`${this.path} is not the state of a member (${why}): ${LOSS_REMEDY}`);
  }
}

/** A checksum, and the length of the text that it covers, then the text; padded, so that no rest of an older record stays. */
function formatCopy(saved: Saved): Buffer {
  const text = JSON.stringify({ format: FORMAT, ...saved });
  const bytes = Buffer.alloc(COPY, '\n');
  const line = `${checksum(text)} ${Buffer.byteLength(text)} ${text}\n`;
  if (Buffer.byteLength(line) > COPY) throw new StateFileError(`a record must be shorter than ${COPY} bytes`);
  bytes.write(line);
  return bytes;
}

/** Null if it was never written; text if it is not whole. */
function parseCopy(bytes: Buffer): Saved | string | null {
  const isUnwritten = bytes.every((byte) => byte === 0);
  if (isUnwritten) return null;
  const [, sum, length, rest] = /^([0-9a-f]{64}) (\d+) (.*)$/s.exec(bytes.toString()) ?? [];
  if (rest === undefined) return 'a record has no checksum';
  const text = Buffer.from(rest).subarray(0, Number(length)).toString();
  if (checksum(text) !== sum) return 'a checksum does not match: the record is torn or was edited';
  const { format, ...saved } = JSON.parse(text) as { format: string } & Saved;
  return format === FORMAT
    ? saved
    : `a record has the format '${format}', and this version reads '${FORMAT}'`;
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function readStart(file: FileHandle, most: number): Promise<Buffer> {
  const bytes = Buffer.alloc(most);
  let done = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, done, most - done, done);
    done += bytesRead;
    if (bytesRead === 0 || done === most) return bytes.subarray(0, done);
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
