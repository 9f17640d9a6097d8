/**
 * The durable state of a member in one file of two slots. A save writes the slot that does not hold the newest record, with a
 * sequence number and a checksum, and syncs it. So a crash during a save leaves the other slot, which is whole.
 *
 * Guarantees: a save resolves only when the record is on disk. A file with a slot that is torn or was edited is read as the
 * other record, and `warning` says so. A file in which no slot is whole is refused with the reason, not taken for that of a
 * member that has never run, unless only its first save was interrupted, after which nothing was sent.
 * Does not protect against a disk that acknowledges a sync and loses it, nor against an older copy of the file.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { HustingsError } from '../../errors/hustings-error.ts';
import { syncFolder } from '../../files/durable-file.ts';
import type { MemberRecord, MemberStore } from '../runtime/durable-outbox.ts';

/** The bytes of one slot. */
const SLOT = 32_768;
const FORMAT = 'hustings-member-1';

/** A state file that cannot be used, or that cannot be written. */
export class StateFileError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_CLUSTER_STATE', cause });
  }
}

interface Slot {
  readonly sequence: number;
  readonly record: MemberRecord;
}

/** Keeps the record of a member in a file. */
export class StateFile implements MemberStore {
  /** What was wrong with a slot that was skipped; null if nothing was. */
  warning: string | null = null;
  private readonly path: string;
  private sequence = 0;
  private file: FileHandle | null = null;
  /** Saves run one after another. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Opens the file, which is created if there is none. */
  async load(): Promise<MemberRecord | null> {
    this.file = await openFile(this.path);
    const bytes = await readStart(this.file, 2 * SLOT);
    if (bytes.length === 0) {
      await syncFolder(this.path);
      return null;
    }
    const slots = [0, 1].map((place) => parseSlot(bytes.subarray(place * SLOT, (place + 1) * SLOT)));
    const whole = slots.filter((slot): slot is Slot => typeof slot === 'object' && slot !== null);
    const faults = slots.filter((slot): slot is string => typeof slot === 'string');
    const newest = whole.sort((a, b) => b.sequence - a.sequence)[0];
    if (newest === undefined) {
      // The first save was interrupted.
      if (faults.length > 0 && bytes.length >= SLOT) {
        throw new StateFileError(
          `${this.path} is not the state of a member (${faults.join('; ')}): restore it, or remove this member and add it with a new id`,
        );
      }
      this.warning = `${this.path}: the first record is not complete, so this member has sent nothing yet`;
      return null;
    }
    if (faults.length > 0) this.warning = `${this.path}: one of two records is skipped: ${faults.join('; ')}`;
    this.sequence = newest.sequence;
    return newest.record;
  }

  save(record: MemberRecord): Promise<void> {
    const saved = this.last.then(() => this.write(record));
    // The next save must not fail because this one did; the runtime stops at the first failure.
    this.last = saved.catch(() => undefined);
    return saved;
  }

  async close(): Promise<void> {
    await this.last;
    await this.file?.close();
    this.file = null;
  }

  private async write(record: MemberRecord): Promise<void> {
    if (this.file === null) throw new StateFileError(`${this.path} is not open: load it first`);
    const sequence = this.sequence + 1;
    const bytes = formatSlot(sequence, record);
    try {
      await writeWhole(this.file, bytes, ((sequence - 1) % 2) * SLOT);
      await this.file.datasync();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw new StateFileError(`${this.path} could not be written: ${text}`, error);
    }
    this.sequence = sequence;
  }
}

/** A checksum, and the length of the text that it covers, then the text; padded, so that no rest of an older record stays. */
function formatSlot(sequence: number, record: MemberRecord): Buffer {
  const text = JSON.stringify({ format: FORMAT, sequence, record });
  const bytes = Buffer.alloc(SLOT, '\n');
  const line = `${checksum(text)} ${Buffer.byteLength(text)} ${text}\n`;
  if (Buffer.byteLength(line) > SLOT) throw new StateFileError(`a record must be shorter than ${SLOT} bytes`);
  bytes.write(line);
  return bytes;
}

/** Null for a slot that was never written; text if it is not whole. */
function parseSlot(bytes: Buffer): Slot | string | null {
  const isUnwritten = bytes.every((byte) => byte === 0);
  if (isUnwritten) return null;
  const [, sum, length, rest] = /^([0-9a-f]{64}) (\d+) (.*)$/s.exec(bytes.toString()) ?? [];
  if (rest === undefined) return 'a record has no checksum';
  const text = Buffer.from(rest).subarray(0, Number(length)).toString();
  if (checksum(text) !== sum) return 'a checksum does not match: the record is torn or was edited';
  const { format, record, sequence } = JSON.parse(text) as { format: string } & Slot;
  return format === FORMAT
    ? { sequence, record }
    : `a record has the format '${format}', and this version reads '${FORMAT}'`;
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new StateFileError(`${path} cannot be opened`, error);
  }
  try {
    return await open(path, 'wx+', 0o600);
  } catch (error) {
    throw new StateFileError(`${path} cannot be created`, error);
  }
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
