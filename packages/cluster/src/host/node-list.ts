/** The member list of a process: its file, the connections that it needs, and the change that is under way. */

import { firstLine } from '@hustings/base';
import { type ClusterMember, type MemberList, memberOf } from '../member-list/member-list.ts';
import { changedMembers, changeProblem, type MemberChange } from '../membership/list-change.ts';
import { compareRecords, type ListRecord } from '../membership/list-record.ts';
import { MemberChangeError, SilentMemberError } from '../membership/membership.ts';
import type { MemberClock } from '../runtime/member-clock.ts';
import { canChangeMembers, type ListKeeper } from '../runtime/member-options.ts';
import { checkSetup, type ElectionSetup, unitMsOf } from './node-setup.ts';

export interface NodeListOptions {
  /** The member file. */
  readonly file: MemberList;
  readonly id: number;
  /** From the disk; null for a member that waits to be added. */
  readonly record: ListRecord | null;
  readonly isJoining: boolean;
  readonly setup: ElectionSetup;
  /** Resolves when it is on disk. */
  save(record: ListRecord, isRemoved?: boolean): Promise<void>;
  connect(list: MemberList, former: readonly ClusterMember[]): void;
  /** Connects a process that is to be added; with null no longer. Called again and again until it answers. */
  invite(candidate: ClusterMember | null): void;
  reaches(id: number): boolean;
  readonly clock: MemberClock;
}

interface PendingChange {
  readonly change: MemberChange;
  readonly record: ListRecord;
  resolve(list: MemberList): void;
  reject(error: Error): void;
}

/** How long a change may take: an election, and the answers of a majority. */
const CHANGE_TIMEOUT_MS = 30_000;
/** How long a process that is to be added may take to answer: it dials again within a second. */
const ANSWER_TIMEOUT_MS = 5_000;
const ANSWER_POLL_MS = 50;

export class NodeList implements ListKeeper {
  readonly record: ListRecord | null;
  readonly isJoining: boolean;
  private isChanging = false;
  private pending: PendingChange | null = null;
  private current: MemberList;

  constructor(private readonly options: NodeListOptions) {
    const { file, isJoining, record } = options;
    this.record = record;
    this.isJoining = isJoining;
    this.current = record === null ? file : this.startingList(record);
  }

  /** A member that joins again is told the list by any member of the file, or of the last list that it had. */
  private startingList(record: ListRecord): MemberList {
    const { file, id } = this.options;
    const list = this.listOf(record);
    if (list.members.some((member) => member.id === id)) return list;
    const others = list.members.filter((member) => !file.members.some((given) => given.id === member.id));
    return { ...list, members: [...file.members, ...others] };
  }

  /** The list that this process uses; the file before it was added. */
  get list(): MemberList {
    return this.current;
  }

  /** Where this member listens. */
  get address(): string {
    const { file, id } = this.options;
    const own = this.current.members.find((member) => member.id === id);
    return (own ?? memberOf(file, id)).address;
  }

  unitMs(members: readonly number[]): number {
    return unitMsOf(this.options.setup, members);
  }

  save(record: ListRecord): Promise<void> {
    return this.options.save(record);
  }

  /** The next start of this member says that it was removed. */
  async saveRemoval(record: ListRecord): Promise<void> {
    await this.options.save(record, true);
  }

  reaches(id: number): boolean {
    return this.options.reaches(id);
  }

  connect(record: ListRecord, former: readonly ClusterMember[]): void {
    this.current = this.listOf(record);
    this.options.connect(this.current, former);
  }

  /** Resolves when a majority has stored the list that `propose` proposes, or a later one with the change. */
  async change(change: MemberChange, propose: () => ListRecord): Promise<MemberList> {
    if (this.isChanging) throw new MemberChangeError('a change is under way; try again');
    this.checkNext(change);
    this.isChanging = true;
    try {
      return await this.committed(change, await this.proposed(propose));
    } finally {
      this.isChanging = false;
      this.options.invite(null);
    }
  }

  /** The range of a parameter may depend on the number of members: a list that it does not fit would stop all of them. */
  private checkNext(change: MemberChange): void {
    const { setup } = this.options;
    const { members } = this.current;
    if (!canChangeMembers(setup.algorithm) || changeProblem(members, change) !== null) return;
    const ids = changedMembers(members, change).map(({ id }) => id);
    try {
      checkSetup(setup, ids);
    } catch (error) {
      const why = `the algorithm cannot run with that list: ${firstLine(error)}`;
      throw new MemberChangeError(`${why}; to set another value, stop all members and start them again`);
    }
  }

  /** Proposes when the process that is to be added answers. */
  private async proposed(propose: () => ListRecord): Promise<ListRecord> {
    const { clock, invite } = this.options;
    const untilMs = clock.now() + ANSWER_TIMEOUT_MS;
    for (;;) {
      try {
        return propose();
      } catch (error) {
        if (!(error instanceof SilentMemberError) || clock.now() >= untilMs) throw error;
        invite(error.member);
      }
      await new Promise<void>((resolve) => clock.after(ANSWER_POLL_MS, resolve));
    }
  }

  private committed(change: MemberChange, record: ListRecord): Promise<MemberList> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.fail(`no majority has stored version ${record.version} within 30 s; look at the list`),
        CHANGE_TIMEOUT_MS,
      );
      const settle = (): void => {
        clearTimeout(timer);
        this.pending = null;
      };
      this.pending = {
        change,
        record,
        resolve: (list) => {
          settle();
          resolve(list);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
    });
  }

  onCommitted(record: ListRecord): void {
    const { pending } = this;
    if (pending === null || compareRecords(record, pending.record) < 0) return;
    const { change } = pending;
    const id = change.type === 'add' ? change.member.id : change.id;
    const isIn = record.members.some((member) => member.id === id);
    if (isIn === (change.type === 'add')) pending.resolve(this.listOf(record));
    else this.fail('another leader has replaced the list; try again');
  }

  /** A change that is under way fails: what became of it is not known. */
  fail(why: string): void {
    this.pending?.reject(new MemberChangeError(why));
  }

  private listOf({ members, version }: ListRecord): MemberList {
    return { cluster: this.options.file.cluster, version, members };
  }
}
