/** The support of a member on disk: what the quorum gate must not forget. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../errors/hustings-error.ts';
import { NO_SUPPORT, type Support } from '../gate/supporter.ts';
import { isRecord, isWhole } from '../member-list/member-list.ts';
import { DamagedRecordError, readRecord, writeRecord } from './durable-record.ts';

const pathIn = (folder: string): string => join(folder, 'support');

/** Throws a `DamagedRecordError` if the file is torn, truncated or edited. */
export async function readSupport(folder: string): Promise<Support> {
  const record = await readRecord(pathIn(folder));
  if (record === undefined) return NO_SUPPORT;
  if (isRecord(record) && isWhole(record.token, 0) && isWhole(record.leader, -1)) {
    const { leader, leaseMs, token } = record;
    return { token, leader, leaseMs: typeof leaseMs === 'number' ? leaseMs : 0 };
  }
  throw new DamagedRecordError(pathIn(folder), 'it holds no token and leader');
}

/** On disk when it resolves. */
export async function writeSupport(folder: string, support: Support): Promise<void> {
  await writeRecord(pathIn(folder), support);
}

/** Makes the tokens of a new member begin above `token`. */
export async function writeFirstToken(folder: string, token: number): Promise<void> {
  if (!isWhole(token, 0, 2 ** 52)) {
    throw new InputError(`the first token must be a whole number from 0 to 2^52, not ${token}`);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readRecord(pathIn(folder))) !== undefined) {
    throw new InputError(`${pathIn(folder)} exists already: this member has run; use another folder`);
  }
  await writeSupport(folder, { ...NO_SUPPORT, token });
}
