/**
 * One record in a file of its own, such as the member list or what a member must not forget.
 *
 * Guaranteed: a record that was written survives a crash of the process and of the machine; a crash during a write leaves
 * the old record or the new one; a file that was truncated or changed is recognised by its checksum and reported, never used
 * and never taken for a file that does not exist. Requires one writer per path.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HustingsError } from '../../errors/hustings-error.ts';
import { replaceFile } from '../../files/durable-file.ts';

/** A state file of a member is damaged. */
export class DamagedRecordError extends HustingsError {
  constructor(
    readonly path: string,
    why: string,
  ) {
    super(`${path} is damaged (${why}); remove this member, and add one with a new id and an empty folder`, {
      code: 'HUSTINGS_DAMAGED_RECORD',
    });
  }
}

const HEAD = /^hustings-record 1 sha256:([0-9a-f]{64}) bytes:(\d{1,15})\n/;
const checksum = (body: Buffer): string => createHash('sha256').update(body).digest('hex');

/** On disk when it resolves. */
export async function writeRecord(path: string, record: unknown, mode = 0o600): Promise<void> {
  const body = Buffer.from(`${JSON.stringify(record)}\n`);
  await replaceFile(path, Buffer.concat([Buffer.from(head(body)), body]), mode);
}

const head = (body: Buffer): string => `hustings-record 1 sha256:${checksum(body)} bytes:${body.length}\n`;

/** Undefined if the file does not exist. Throws a `DamagedRecordError` if it is torn, truncated or edited. */
export async function readRecord(path: string): Promise<unknown> {
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const match = HEAD.exec(content.subarray(0, 200).toString('latin1'));
  if (match === null) throw new DamagedRecordError(path, 'its first line is not that of a record');
  const body = content.subarray(match[0].length);
  if (body.length !== Number(match[2])) {
    throw new DamagedRecordError(path, `it has ${body.length} bytes instead of ${match[2]}`);
  }
  if (checksum(body) !== match[1]) throw new DamagedRecordError(path, 'its checksum does not match');
  return JSON.parse(body.toString('utf8'));
}
