/** What a member knows of folders, its own and those of the others, on disk: see folder/folder-record.ts. */
import { randomBytes } from 'node:crypto';
import { isRecord, isWhole } from '../../base/json-value.ts';
import type { FolderRecord } from '../folder/folder-record.ts';
import { DamagedRecordError } from './durable-record.ts';
import type { RecordFile } from './record-file.ts';

const isFolderId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

/** The record of this folder, which gets its id if it has none. */
export async function openFolderRecord(file: RecordFile): Promise<FolderRecord> {
  const held = await file.read();
  if (held === undefined) {
    const record: FolderRecord = { id: randomBytes(16).toString('hex'), recordedBy: [], peers: {} };
    await file.write(record);
    return record;
  }
  const { id, peers, recordedBy } = held;
  const isValid =
    isFolderId(id) &&
    Array.isArray(recordedBy) &&
    recordedBy.every((each) => isWhole(each, 0)) &&
    isRecord(peers) &&
    Object.values(peers).every(isFolderId);
  if (!isValid) throw new DamagedRecordError(file.path, 'it holds no folders');
  return { id, recordedBy, peers: peers as FolderRecord['peers'] };
}
