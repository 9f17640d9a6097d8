/**
 * A file of a member with one record: see durable-record.ts. It names the cluster and the member, and the file of another one is
 * refused. Writes run one after another.
 */
import { isRecord, isWhole } from '@hustings/base';
import { DamagedRecordError, readRecord, writeRecord } from './durable-record.ts';
import { checkOwner, type FileOwner } from './file-owner.ts';

/** A record of a member on disk. */
export class RecordFile {
  /** What was wrong with a copy that was written again; null if nothing was. */
  warning: string | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly path: string,
    readonly owner: FileOwner,
  ) {}

  /** Undefined before the first write. Throws a `DamagedRecordError`, or an `InputError` for the file of another member. */
  async read(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const held = await readRecord(this.path, (why) => {
      this.warning = why;
    });
    if (held === undefined) return undefined;
    const { cluster, id, record } = isRecord(held) ? held : {};
    if (typeof cluster !== 'string' || !isWhole(id, 0) || !isRecord(record))
      throw new DamagedRecordError(this.path, 'it names no member');
    checkOwner(this.path, { cluster, id }, this.owner);
    return record;
  }

  /** On disk when it resolves. */
  write(record: object): Promise<void> {
    const { cluster, id } = this.owner;
    const written = this.last.then(() => writeRecord(this.path, { cluster, id, record }));
    this.last = written.catch(() => undefined);
    return written;
  }
}
