/**
 * What the quorum gate of a member must not forget, on disk; and which other files its folder has, so that the loss of one is
 * noticed. Every member has this file, with and without a quorum.
 */

import { isWhole } from '@hustings/base';
import { NO_SUPPORT, type Support } from '../gate/supporter.ts';
import { DamagedRecordError } from './durable-record.ts';
import type { RecordFile } from './record-file.ts';

export class SupportFile {
  private constructor(
    private readonly file: RecordFile,
    private held: { readonly support: Support; readonly files: readonly string[] },
  ) {}

  /** Null if there is no file. */
  static async read(file: RecordFile): Promise<SupportFile | null> {
    const record = await file.read();
    if (record === undefined) return null;
    const { files, leader, leaseMs, token } = record;
    const isLease = typeof leaseMs === 'number' && leaseMs >= 0;
    if (!isWhole(token, 0) || !isWhole(leader, -1) || !isLease || !Array.isArray(files))
      throw new DamagedRecordError(file.path, 'it holds no token and leader');
    return new SupportFile(file, { support: { token, leader, leaseMs }, files });
  }

  /** The first file of a member that has never run. Its tokens begin above `token`. */
  static async create(file: RecordFile, token = 0): Promise<SupportFile> {
    const created = new SupportFile(file, { support: NO_SUPPORT, files: [] });
    await created.save({ ...NO_SUPPORT, token });
    return created;
  }

  get warning(): string | null {
    return this.file.warning;
  }

  get support(): Support {
    return this.held.support;
  }

  /** The files without which this member must not start. */
  get files(): readonly string[] {
    return this.held.files;
  }

  save(support: Support): Promise<void> {
    return this.write({ ...this.held, support });
  }

  noteFiles(files: readonly string[]): Promise<void> {
    return this.write({ ...this.held, files });
  }

  private async write(held: { readonly support: Support; readonly files: readonly string[] }): Promise<void> {
    // At once: a write that is asked for during this one has both changes.
    this.held = held;
    await this.file.write({ ...held.support, files: held.files });
  }
}
