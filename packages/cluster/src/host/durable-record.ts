/**
 * One record in a file of its own, such as the member list or what a member must not forget. The file holds it twice.
 *
 * Guaranteed: a record that was written survives a crash of the process and of the machine, and damage to one of its copies; a
 * crash during a write leaves the old record or the new one; a file that was cut, or is damaged in both copies, is recognised
 * and reported, never used and never taken for a file that does not exist. Requires one process per path.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HustingsError } from '@hustings/base';
import { replaceFile } from '@hustings/base/node';
import { LOSS_REMEDY } from './file-owner.ts';

/** A file of a member is damaged. */
export class DamagedRecordError extends HustingsError {
  constructor(
    readonly path: string,
    why: string,
  ) {
    super(`${path} is damaged (${why}); ${LOSS_REMEDY}`, { code: 'HUSTINGS_DAMAGED_RECORD' });
  }
}

const MODE = 0o600;
const HEAD = /^hustings-record 2 sha256:([0-9a-f]{64}) bytes:(\d{1,15})\n/;
const checksum = (body: Buffer): string => createHash('sha256').update(body).digest('hex');

/** On disk when it resolves. */
export async function writeRecord(path: string, record: unknown): Promise<void> {
  const body = Buffer.from(`${JSON.stringify(record)}\n`);
  const head = Buffer.from(`hustings-record 2 sha256:${checksum(body)} bytes:${body.length}\n`);
  await replaceFile(path, Buffer.concat([head, body, head, body]), MODE);
}

/**
 * Undefined if the file does not exist. Throws a `DamagedRecordError` if it was cut or both copies are damaged. If one is, it is
 * written again, and `onRepair` is told why: damage to the other one later loses nothing either.
 */
export async function readRecord(path: string, onRepair?: (why: string) => void): Promise<unknown> {
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // No half of a file that was cut is a copy.
  const half = Math.floor(content.length / 2);
  const copies = [content.subarray(0, half), content.subarray(half)];
  const faults = copies.map(faultOf);
  const whole = copies[faults.indexOf(null)];
  if (whole === undefined) throw new DamagedRecordError(path, String(faults[0]));
  const fault = faults.find((each) => each !== null);
  if (fault !== undefined) {
    await replaceFile(path, Buffer.concat([whole, whole]), MODE);
    onRepair?.(`${path}: a copy of the record was written again: ${fault}`);
  }
  return JSON.parse(bodyOf(whole).toString('utf8'));
}

const headOf = (copy: Buffer): RegExpExecArray | null => HEAD.exec(copy.subarray(0, 200).toString('latin1'));
const bodyOf = (copy: Buffer): Buffer => copy.subarray(headOf(copy)?.[0].length);

/** Null if the copy is whole. */
function faultOf(copy: Buffer): string | null {
  const match = headOf(copy);
  if (match === null) return 'its first line is not that of a record';
  const body = bodyOf(copy);
  if (body.length !== Number(match[2])) return `it has ${body.length} bytes instead of ${match[2]}`;
  return checksum(body) === match[1] ? null : 'its checksum does not match';
}
