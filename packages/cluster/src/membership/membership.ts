/**
 * The member list at one member: which record it uses, what it tells the others, and what it may change. The rules are in
 * list-record.ts. The disk, the wire and the algorithm are inputs; `tick` must be called regularly.
 *
 * Guarantees: a record is used and told to others only after it is on disk. Records spread as long as members talk: the
 * member that stamped or proposed one repeats it until all members have it, and a member that hears from another list
 * answers with its own record.
 */
import { HustingsError, InputError } from '@hustings/base';
import type { ClusterMember } from '../member-list/member-list.ts';
import {
  changedMembers,
  changeProblem,
  type MemberChange,
  removedMember,
  silenceProblem,
} from './list-change.ts';
import {
  compareRecords,
  isMajority,
  isSameList,
  type ListRecord,
  mayConfirm,
  mayPropose,
  mayStore,
  proposedBy,
  recordProblem,
  stampedBy,
} from './list-record.ts';
import { type MembersFrame, readListRecord } from './members-frame.ts';

/** The member list was not changed, and may be changed later or by another member. */
export class MemberChangeError extends HustingsError {
  constructor(message: string) {
    super(message, { code: 'HUSTINGS_MEMBER_CHANGE' });
  }
}

/** The process that is to be added does not answer. */
export class SilentMemberError extends MemberChangeError {
  constructor(readonly member: ClusterMember) {
    super(`member ${member.id} does not answer at ${member.address}; start it with join, then repeat`);
  }
}

/** Where the algorithm of this member stands, on disk. */
export interface MembershipTerm {
  readonly term: number;
  readonly leads: boolean;
  /** Whether it may support others in its list. One that may not confirms no record. */
  readonly isAdmitted: boolean;
}

/** The disk, the wire and the algorithm of a member. */
export interface MembershipHost {
  /** Resolves when the record is on disk. One that rejects ends all changes; the host knows. */
  save(record: ListRecord): Promise<void>;
  /** This member uses another list from now on; it is on disk. Its stamp may be above the term: M7. */
  useList(record: ListRecord): void;
  /** The list is the same, and the term has stayed below its stamp: M7. */
  raiseTerm(record: ListRecord): void;
  /** Members of earlier lists to which it still talks. Called after a change of the list, and when there are fewer. */
  keepFormer(members: readonly ClusterMember[]): void;
  /** Sends a frame after the term of the algorithm is on disk. */
  send(to: number, frame: MembersFrame): void;
  /** The term and the leader as the algorithm knows them. */
  termState(): MembershipTerm;
  /** Whether this process answers now: another member, or one that is to be added. */
  answers(id: number): boolean;
  /** Another member names a later term; returns why that is refused, or null. */
  raise(known: number, term: number): string | null;
  /** A majority has confirmed the record that this member uses. */
  onCommitted(record: ListRecord): void;
  /** A record is on disk and cannot be used. It ends all changes. */
  onFailure(error: unknown): void;
}

/** The member whose list this is. */
export interface MembershipOptions {
  readonly cluster: string;
  readonly self: number;
  /** From the disk; null for a member that waits to be added. */
  readonly record: ListRecord | null;
}

/** Ticks between two repetitions. */
const REPEAT_TICKS = 10;
/** How long a message of the leader that made the stamp may take: until then the algorithm need not begin again. */
const RAISE_TICKS = 10;
/** How often a member of an earlier list is told. */
const FORMER_REPEATS = 60;

/** The member list of one member, and its changes. */
export class Membership {
  /** On disk. */
  private held: ListRecord | null;
  /** On disk, or being written. */
  private newest: ListRecord | null;
  /** This process stamped or proposed the record that it uses. */
  private hasMade = false;
  private isCommitted = false;
  /** Those that have confirmed the record of the owner, and those that know that it is committed. */
  private readonly confirmed = new Set<number>();
  private readonly informed = new Set<number>();
  /**
   * Members of earlier lists by id, and how often the owner still tells each. The others keep them until they know that the record
   * is committed: a leader that removed itself waits for their confirmations.
   */
  private readonly former = new Map<number, { readonly member: ClusterMember; readonly left: number }>();
  /** Those that use an older record. */
  private readonly behind = new Set<number>();
  private own: ListRecord | null = null;
  private ticks = 0;
  /** For how many the term has been below the stamp. */
  private ticksBelow = 0;
  private isSaving = false;
  /** What follows when the newest record is on disk. */
  private waiting: (() => void)[] = [];
  private isClosed = false;

  constructor(
    private readonly options: MembershipOptions,
    private readonly host: MembershipHost,
  ) {
    this.held = options.record;
    this.newest = options.record;
  }

  /** The record that this member uses; null before it was added. */
  get record(): ListRecord | null {
    return this.held;
  }

  /** Whether this member is in the list that it uses. */
  get isMember(): boolean {
    return this.held?.members.some(({ id }) => id === this.options.self) ?? false;
  }

  /** Whether it tells the record to others: a member that is not in it may be the only one that has it. */
  private get isOwner(): boolean {
    return this.held !== null && (this.hasMade || !this.isMember);
  }

  /** Whether a majority is known to have confirmed the record that this member uses. */
  get hasMajority(): boolean {
    return this.isCommitted;
  }

  /** Proposes another list; throws if this member cannot. The caller learns by `onCommitted` whether it is kept. */
  propose(change: MemberChange): ListRecord {
    const { leads, term } = this.host.termState();
    const { held } = this;
    if (held === null || !leads) throw new MemberChangeError('this member does not lead; ask the leader');
    const why = changeProblem(held.members, change);
    if (why !== null) throw new InputError(why);
    if (this.newest !== held || !mayPropose(held, term, this.hasMade && this.isCommitted)) {
      throw new MemberChangeError(
        `a change is under way: no majority has stored version ${held.version} for this leader yet; try again`,
      );
    }
    const removed = removedMember(held.members, change);
    const next = { ...proposedBy(held, term, changedMembers(held.members, change)), removed };
    const answers = (id: number): boolean => id === this.options.self || this.host.answers(id);
    if (change.type === 'add' && !answers(change.member.id)) throw new SilentMemberError(change.member);
    const silence = silenceProblem(next.members, answers);
    if (silence !== null) throw new MemberChangeError(silence);
    this.store(next, true);
    return next;
  }

  /** Called in each period: stamps the list with the term of this leader, and sends it to members that are behind. */
  tick(): void {
    if (this.isClosed || this.held === null) return;
    const { leads, term } = this.host.termState();
    const stamped = leads && this.newest === this.held ? stampedBy(this.held, term) : null;
    if (stamped !== null) this.store(stamped, true);
    this.ticksBelow = term < this.held.stamp ? this.ticksBelow + 1 : 0;
    if (this.ticksBelow > RAISE_TICKS) this.host.raiseTerm(this.held);
    for (const id of this.behind) this.tell(id, this.held);
    this.behind.clear();
    if (++this.ticks % REPEAT_TICKS === 0) this.spread(this.held);
  }

  /** A frame of another process of the cluster, whose fields were checked; returns why it is refused, or null. */
  receive(from: number, frame: MembersFrame): string | null {
    if (this.isClosed) return null;
    if (frame.about === 'stored') {
      this.takeStored(from, frame);
      return null;
    }
    const record = readListRecord(this.options.cluster, frame.record);
    if (record === null) return 'its member list is not valid';
    return this.takeRecord(from, record, frame.isCommitted);
  }

  /** A message of another list came from this member: one of the two is behind. */
  noteOtherList(from: number): void {
    if (this.held !== null) this.behind.add(from);
  }

  /** A link was reset, so what was told may be lost. */
  noteReset(peer: number): void {
    if (this.isOwner && this.held !== null && !this.knows(peer)) this.behind.add(peer);
  }

  /** Frames and ticks have no effect from now on. */
  close(): void {
    this.isClosed = true;
  }

  private takeRecord(from: number, record: ListRecord, isCommitted: boolean): string | null {
    const isAdded = record.members.some(({ id }) => id === this.options.self);
    // M8
    if (this.held === null && !isAdded) return null;
    if (mayStore(this.newest, record)) {
      const known = Math.max(this.host.termState().term, this.newest?.stamp ?? 0);
      const reason = recordProblem(this.newest, record) ?? this.host.raise(known, record.stamp);
      if (reason !== null) return reason;
      this.store(record, false, () => this.answer(from, record, isCommitted));
    } else if (this.held !== null && compareRecords(record, this.held) < 0) this.behind.add(from);
    else this.answer(from, record, isCommitted);
    return null;
  }

  /** Says that the record is stored, if it still is the newest, and what else is true of it. */
  private answer(from: number, record: ListRecord, isCommitted: boolean): void {
    const { held } = this;
    if (held === null || compareRecords(held, record) !== 0) return;
    if (isCommitted) this.noteCommitted(held);
    const { isAdmitted, term } = this.host.termState();
    const isConfirmed = this.isMember && isAdmitted && mayConfirm(held, term);
    const { origin, stamp, version } = held;
    const name = { stamp, version, origin };
    const stored = { type: 'members', about: 'stored', name, isConfirmed } as const;
    if (isConfirmed || this.isCommitted) this.host.send(from, { ...stored, isCommitted: this.isCommitted });
    if (this.isCommitted && !this.isOwner && this.former.size > 0) {
      this.former.clear();
      this.connectFormer();
    }
  }

  private takeStored(from: number, { isCommitted, isConfirmed, name }: Stored): void {
    const { held } = this;
    if (!this.isOwner || held === null || compareRecords(held, name) !== 0) return;
    if (isConfirmed) this.confirmed.add(from);
    if (isCommitted) this.informed.add(from);
    this.countConfirmed(held);
  }

  private countConfirmed(record: ListRecord): void {
    if (this.isCommitted) return;
    const ids = record.members.map(({ id }) => id);
    if (!isMajority(ids, (id) => this.confirmed.has(id))) return;
    this.noteCommitted(record);
    this.spread(record);
  }

  private noteCommitted(record: ListRecord): void {
    if (this.isCommitted) return;
    this.isCommitted = true;
    this.host.onCommitted(record);
  }

  private store(record: ListRecord, isOwn: boolean, then: () => void = () => undefined): void {
    this.newest = record;
    if (isOwn) this.own = record;
    this.waiting.push(then);
    if (this.isSaving) return;
    this.saveAll().catch((error: unknown) => {
      this.close();
      this.host.onFailure(error);
    });
  }

  private async saveAll(): Promise<void> {
    this.isSaving = true;
    while (!this.isClosed && this.newest !== null && this.newest !== this.held) {
      const record = this.newest;
      // A record that comes during the save is saved next, with what follows it.
      const follow = this.waiting.splice(0);
      await this.host.save(record).catch(() => this.close());
      if (!this.isClosed) this.use(record);
      for (const then of follow) if (!this.isClosed) then();
    }
    this.isSaving = false;
  }

  private use(record: ListRecord): void {
    const before = this.held;
    this.held = record;
    this.hasMade = record === this.own;
    this.isCommitted = false;
    this.confirmed.clear();
    this.informed.clear();
    const isOther = before === null || !isSameList(before, record);
    if (isOther || this.hasMade) this.keepFormer(before, record);
    if (isOther) this.host.useList(record);
    if (!this.isOwner) return;
    const { isAdmitted, term } = this.host.termState();
    if (this.isMember && isAdmitted && mayConfirm(record, term)) this.confirmed.add(this.options.self);
    this.spread(record);
    this.countConfirmed(record);
  }

  private keepFormer(before: ListRecord | null, { members, removed }: ListRecord): void {
    const gone = removed === undefined ? [] : [removed];
    for (const member of [...(before?.members ?? []), ...gone])
      this.former.set(member.id, { member, left: FORMER_REPEATS });
    for (const { address, id } of members) {
      this.former.delete(id);
      // Its process is gone: another member listens there.
      for (const { member } of [...this.former.values()])
        if (member.address === address) this.former.delete(member.id);
    }
    this.former.delete(this.options.self);
    this.connectFormer();
  }

  private connectFormer(): void {
    this.host.keepFormer([...this.former.values()].map(({ member }) => member));
  }

  /** Tells the record to all that do not know it, or do not know that it is committed. */
  private spread(record: ListRecord): void {
    if (!this.isOwner) return;
    for (const { id } of record.members)
      if (id !== this.options.self && !this.knows(id)) this.tell(id, record);
    const { size } = this.former;
    for (const [id, { left, member }] of [...this.former]) {
      if (left === 0 || this.informed.has(id)) this.former.delete(id);
      else {
        // What it waits for is that the record is committed.
        if (this.isCommitted) this.former.set(id, { member, left: left - 1 });
        this.tell(id, record);
      }
    }
    if (this.former.size < size) this.connectFormer();
  }

  private knows(id: number): boolean {
    return (this.isCommitted ? this.informed : this.confirmed).has(id);
  }

  private tell(to: number, record: ListRecord): void {
    this.host.send(to, { type: 'members', about: 'record', record, isCommitted: this.isCommitted });
  }
}

type Stored = Extract<MembersFrame, { about: 'stored' }>;
