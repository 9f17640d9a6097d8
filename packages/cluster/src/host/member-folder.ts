/**
 * The files of a member that must stay together: `support`, `members`, `state`, and `folders` where a majority is counted.
 *
 * Guarantees: a folder that has lost one of them is never taken for that of a member that has not run. `support` is the first file
 * of a folder, so where another one is and it is not, it was lost. It names the others as soon as they are on disk, before the
 * member has sent or told anything that depends on them. A crash before that leaves a first start that is repeated.
 * Does not notice that all are lost, which the other members do (folder/folder-record.ts), nor that all are older copies. Requires
 * the lock of the folder.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, isRecord, isWhole } from '@hustings/base';
import type { FolderRecord } from '../folder/folder-record.ts';
import type { Support } from '../gate/supporter.ts';
import { maxFirst } from '../gate/term-increment-limiter.ts';
import type { MemberList } from '../member-list/member-list.ts';
import { saveListRecord, writeMemberRecord } from '../member-list/member-record.ts';
import type { ListRecord } from '../membership/list-record.ts';
import type { MemberRecord, MemberStore } from '../runtime/durable-outbox.ts';
import { DamagedRecordError } from './durable-record.ts';
import { type FileOwner, LOSS_REMEDY } from './file-owner.ts';
import { RecordFile } from './record-file.ts';
import { StateFile, StateFileError } from './state-file.ts';
import { SupportFile } from './support-file.ts';

/** Those that `support` names. */
const OTHERS = ['folders', 'members', 'state'];

const supportIn = (folder: string, owner: FileOwner): RecordFile =>
  new RecordFile(join(folder, 'support'), owner);
const othersIn = (folder: string): readonly string[] =>
  OTHERS.filter((name) => existsSync(join(folder, name)));

/** The files of a member. @internal */
export class MemberFolder implements MemberStore {
  readonly list: RecordFile;
  private readonly state: StateFile;
  /** All saves of the list and of the support. */
  private saves: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  private constructor(
    private readonly path: string,
    owner: FileOwner,
    private readonly held: SupportFile,
    private readonly foldersFile: RecordFile,
    /** Null where folders are not compared. */
    readonly folders: FolderRecord | null,
  ) {
    this.list = new RecordFile(join(path, 'members'), owner);
    this.state = new StateFile(join(path, 'state'), owner);
  }

  /**
   * Throws if a file was lost, is damaged, or is that of another member. `comparesFolders` makes the id of the folder, if it has
   * none.
   */
  static async open(path: string, owner: FileOwner, comparesFolders: boolean): Promise<MemberFolder> {
    const file = supportIn(path, owner);
    const held = await SupportFile.read(file);
    const others = othersIn(path);
    const lost =
      held === null && others.length > 0 ? 'support' : held?.files.find((name) => !others.includes(name));
    if (lost !== undefined) {
      throw new StateFileError(
        `${join(path, lost)} is missing, although this member has run: ${LOSS_REMEDY}`,
      );
    }
    const support = held ?? (await SupportFile.create(file));
    const folders = new RecordFile(join(path, 'folders'), owner);
    const record = comparesFolders ? await openFolderRecord(folders) : null;
    return new MemberFolder(path, owner, support, folders, record);
  }

  get support(): Support {
    return this.held.support;
  }

  /** What was wrong with copies that were skipped or written again. */
  get warnings(): readonly string[] {
    return [this.held, this.foldersFile, this.list, this.state].flatMap(({ warning }) => warning ?? []);
  }

  async load(): Promise<MemberRecord | null> {
    const record = await this.state.load();
    await this.noteOthers();
    return record;
  }

  save(record: MemberRecord): Promise<void> {
    return this.state.save(record);
  }

  saveSupport(support: Support): Promise<void> {
    return this.saving(() => this.held.save(support));
  }

  saveFolders(record: FolderRecord): Promise<void> {
    return this.saving(() => this.foldersFile.write(record));
  }

  saveList(record: ListRecord, isRemoved = false): Promise<void> {
    return this.saving(async () => {
      await saveListRecord(this.list, record, isRemoved);
      await this.noteOthers();
    });
  }

  /** A list from a member file. */
  saveFileList(list: MemberList): Promise<void> {
    return this.saving(async () => {
      await writeMemberRecord(this.list, list);
      await this.noteOthers();
    });
  }

  /** Resolves when nothing is written any more: another process may use the folder. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.saves;
    await this.state.close();
  }

  /** A save that is asked for after the end is left out: nothing depends on it any more. */
  private saving(save: () => Promise<void>): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    const saved = save();
    this.saves = Promise.allSettled([this.saves, saved]);
    return saved;
  }

  private async noteOthers(): Promise<void> {
    const others = othersIn(this.path);
    if (others.length > this.held.files.length) await this.held.noteFiles(others);
  }
}

const isFolderId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

/** What a member knows of folders, its own and those of the others. A folder without an id gets one. */
async function openFolderRecord(file: RecordFile): Promise<FolderRecord> {
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

/** The largest first token with the quorum gate. An algorithm without the gate may have smaller numbers. */
export const MAX_FIRST_TOKEN = maxFirst(Number.MAX_SAFE_INTEGER);

/** Makes the tokens of a new member begin above `token`. */
export async function writeFirstToken(folder: string, owner: FileOwner, token: number): Promise<void> {
  if (!isWhole(token, 0, MAX_FIRST_TOKEN)) {
    throw new InputError(`the first token must be a whole number from 0 to ${MAX_FIRST_TOKEN}, not ${token}`);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = supportIn(folder, owner);
  if (existsSync(file.path) || othersIn(folder).length > 0) {
    throw new InputError(`${folder} has files of a member already, which has run; use another folder`);
  }
  await SupportFile.create(file, token);
}
