/**
 * The list of one member and the algorithm that runs with it. Where the leader can change the list, `Membership` decides, and
 * the algorithm starts again with each list that this member uses.
 */
import { InputError, MAX_WORD } from '@hustings/study/kernel';
import type { KnownToken } from '../folder/recovery.ts';
import { NOBODY } from '../gate/supporter.ts';
import { TermIncrementLimiter } from '../gate/term-increment-limiter.ts';
import type { ClusterMember } from '../member-list/member-list.ts';
import type { MemberChange } from '../membership/list-change.ts';
import type { ListRecord } from '../membership/list-record.ts';
import type { MembersFrame } from '../membership/members-frame.ts';
import { Membership } from '../membership/membership.ts';
import type { Frame } from '../transport.ts';
import type { Epoch } from '../view/clique.ts';
import { isEndless } from '../view/overlay.ts';
import { LARGEST_EPOCH } from '../view/parse-view.ts';
import type { MemberRecord } from './durable-outbox.ts';
import type { MemberOptions } from './member-options.ts';
import type { MemberEvent, MemberState } from './member-status.ts';

export interface MemberListsHost {
  /** The algorithm that runs now, and what it must not forget. */
  readonly running: {
    readonly promiseMs: number;
    record(): MemberRecord;
    recordIn(term: number, vote?: number): MemberRecord;
  };
  leads(): boolean;
  /** Whether this member was heard, and is not suspected. */
  hears(id: number): boolean;
  /** After what is on disk now. */
  send(to: number, frame: Frame): void;
  /** Ends the run of the algorithm. */
  end(): void;
  /** Makes a run with the present list. */
  replace(saved: MemberRecord | null): NextRun;
  setState(state: MemberState): void;
  report(event: MemberEvent): void;
  stop(reason: string, error: unknown): void;
}

/** A run of the algorithm that has not begun. */
export interface NextRun {
  /** How long its promises last. */
  readonly promiseMs: number;
  begin(): void;
}

/** The list of one member, and the algorithm that runs with it. @internal */
export class MemberLists {
  /** Ascending. */
  ids: readonly number[];
  /** How far others may raise the term or the epoch. A stamp is a term. */
  readonly limit: TermIncrementLimiter;
  /** What the process before this one saved does not count, and the recording has not said so. */
  hasForgotten: boolean;
  private readonly membership: Membership | null;
  private former: readonly ClusterMember[] = [];
  private wasMember: boolean;
  /** With what the algorithm begins, while it waits to begin; null if it has never run. Undefined while it runs. */
  private begins: MemberRecord | null | undefined;
  private cancelBegin: () => void = () => undefined;
  /** The run that begins when this member may support others. */
  private unadmitted: NextRun | null = null;

  constructor(
    private readonly options: MemberOptions,
    private readonly host: MemberListsHost,
  ) {
    const { algorithm, isEphemeral = false } = options;
    this.hasForgotten = isEphemeral;
    const hasEpochs = !isEndless(algorithm);
    this.limit = new TermIncrementLimiter(
      hasEpochs ? 'epoch' : 'term',
      hasEpochs ? LARGEST_EPOCH : MAX_WORD,
      () => this.stamp,
    );
    this.membership = this.createMembership();
    const { isMember = true, record = null } = this.membership ?? {};
    this.wasMember = isMember;
    this.ids = isMember && record !== null ? idsOf(record) : options.members.toSorted((a, b) => a - b);
  }

  get peers(): number[] {
    return this.ids.filter((id) => id !== this.options.self);
  }

  /** The name of the list in messages; null where the leader cannot change it. */
  get name(): Epoch | null {
    const { record } = this;
    return record && { number: record.version, proposer: record.origin, members: this.ids };
  }

  get record(): ListRecord | null {
    return this.membership?.record ?? null;
  }

  /** The term of the leader that last stored the list; 0 if none has. */
  get stamp(): number {
    return this.record?.stamp ?? 0;
  }

  get unitMs(): number {
    return this.options.lists?.unitMs(this.ids) ?? this.options.unitMs;
  }

  /** Whether the algorithm waits to begin. */
  get isWaiting(): boolean {
    return this.begins !== undefined;
  }

  /** Whether this member waits to be added, or to be told that it was removed. */
  get isOutside(): boolean {
    return this.membership !== null && !this.membership.isMember;
  }

  /** A process that joined, and was a member, is removed like any other. */
  private get isJoining(): boolean {
    return this.options.lists?.isJoining === true && !this.wasMember;
  }

  /** What must be on disk now; null if there is nothing yet. */
  get saved(): MemberRecord | null {
    return this.begins === undefined ? this.host.running.record() : this.begins;
  }

  /** Whether this member may support others of its list. */
  private get isAdmitted(): boolean {
    return this.options.admits?.(this.ids) ?? true;
  }

  /** Whether it has not been told yet what it has forgotten. */
  get isRecovering(): boolean {
    return this.options.isEphemeral === true && !this.isAdmitted;
  }

  /** The term and the vote in it. */
  get known(): KnownToken {
    const { saved } = this;
    const vote = saved?.durable[this.options.algorithm.voteField ?? ''];
    return { token: this.termOf(saved), leader: Number(vote ?? NOBODY) };
  }

  canReach(id: number): boolean {
    return this.ids.includes(id) || this.former.some((member) => member.id === id);
  }

  /** Sends the list in use. */
  tell(to: number): void {
    this.membership?.noteOtherList(to);
  }

  /** Why another member cannot name this term, or null. */
  refusal(term: number): string | null {
    return this.limit.refusal(this.known.token, term);
  }

  /** How long the promises of this member last. */
  get promiseMs(): number {
    return this.host.running.promiseMs;
  }

  /** A member whose state is 'recovering' was told what it has forgotten: its term, and its vote. */
  recovered({ leader, token }: KnownToken): void {
    const { promiseMs } = this.saved ?? {};
    const record = this.host.running.recordIn(token, leader === NOBODY ? undefined : leader);
    const saved = this.raised({ ...record, ...(promiseMs !== undefined && { promiseMs }) });
    this.wait(saved);
    const next = this.host.replace(saved);
    this.hasForgotten = false;
    this.beginNow(next);
  }

  /** Proposes another list; throws if this member cannot. */
  change(change: MemberChange): ListRecord {
    if (this.membership !== null) return this.membership.propose(change);
    const { name } = this.options.algorithm;
    throw new InputError(
      `the members of ${name} cannot be changed while it runs; stop all members, and start them with a new file`,
    );
  }

  /** Null unless the frame is refused for this reason. */
  receive(from: number, frame: Frame): string | null {
    if (this.membership === null) return `frames of type '${frame.type}' are not expected`;
    return this.membership.receive(from, frame as MembersFrame & Frame);
  }

  /** A message of another list came; false if there is only one list. */
  noteOther(from: number): boolean {
    this.membership?.noteOtherList(from);
    return this.membership !== null;
  }

  noteReset(peer: number): void {
    this.membership?.noteReset(peer);
  }

  tick(): void {
    this.membership?.tick();
    if (this.unadmitted !== null && this.isAdmitted) this.beginNow(this.unadmitted);
  }

  close(): void {
    this.cancelBegin();
    this.membership?.close();
  }

  /** It takes no part in the algorithm, and keeps what was saved. */
  wait(saved: MemberRecord | null): void {
    this.begins = saved;
    if (!this.isOutside) return;
    this.host.setState(this.record === null || this.isJoining ? 'joining' : 'removed');
  }

  /** Begins the first run of this process. Promises of the process before may last longer than those of the run. */
  begin(saved: MemberRecord | null, next: NextRun): void {
    const excessMs = (saved?.promiseMs ?? 0) - next.promiseMs;
    this.begins = saved;
    this.host.setState('running');
    if (excessMs > 0) this.beginLater(excessMs, next);
    else this.beginAdmitted(next);
  }

  private createMembership(): Membership | null {
    const { cluster, lists, self } = this.options;
    if (lists === undefined) return null;
    return new Membership(
      { cluster, self, record: lists.record },
      {
        save: async (record) => {
          try {
            await lists.save(record);
          } catch (error) {
            this.host.stop('its member list could not be saved', error);
            throw error;
          }
        },
        useList: (record) => this.use(record, true),
        raiseTerm: (record) => this.use(record, false),
        keepFormer: (former) => {
          this.former = former;
          if (this.record !== null) lists.connect(this.record, former);
        },
        send: (to, frame) => this.host.send(to, frame),
        termState: () => ({
          ...{ term: this.termOf(this.saved), leads: this.host.leads() },
          isAdmitted: this.isAdmitted,
        }),
        answers: (id) => (this.ids.includes(id) ? this.host.hears(id) : lists.reaches(id)),
        raise: (known, term) => this.limit.refusal(known, term),
        onCommitted: (record) => {
          lists.onCommitted(record);
          if (this.isOutside && !this.isJoining)
            this.host.report({ type: 'removed', version: record.version });
        },
        onFailure: (error) => this.host.stop('its member list could not be used', error),
      },
    );
  }

  /** M7: what was saved, but in the term of the stamp at least. Its promises last as long as before. */
  raised(saved: MemberRecord | null): MemberRecord | null {
    const { stamp } = this;
    if (stamp <= this.termOf(saved)) return saved;
    const { promiseMs } = saved ?? {};
    return { ...this.host.running.recordIn(stamp), ...(promiseMs !== undefined && { promiseMs }) };
  }

  private termOf(saved: MemberRecord | null): number {
    return Number(saved?.durable[this.options.algorithm.termField ?? ''] ?? 0);
  }

  /** M6, M7. */
  private use(record: ListRecord, isOther: boolean): void {
    const promiseMs = Math.max(this.host.running.promiseMs, this.saved?.promiseMs ?? 0);
    const saved = this.raised(this.saved);
    this.host.end();
    this.ids = idsOf(record);
    this.unadmitted = null;
    this.wait(saved);
    if (isOther) this.host.report({ type: 'members', version: record.version, members: this.ids });
    if (this.isOutside) return;
    this.wasMember = true;
    const next = this.host.replace(saved);
    // A promise of before must not end early because those of the new list are shorter.
    this.beginLater(Math.max(0, promiseMs - next.promiseMs), next);
  }

  private beginLater(delayMs: number, next: NextRun): void {
    const { ids } = this;
    this.unadmitted = null;
    this.cancelBegin = this.options.clock.after(delayMs, () => {
      // Another list has come since.
      if (this.ids === ids) this.beginAdmitted(next);
    });
  }

  /** A run waits until this member may support others in its list. */
  private beginAdmitted(next: NextRun): void {
    if (this.isAdmitted) {
      this.beginNow(next);
      return;
    }
    this.unadmitted = next;
    this.host.setState(this.isRecovering ? 'recovering' : 'unrecorded');
  }

  private beginNow(next: NextRun): void {
    this.unadmitted = null;
    this.begins = undefined;
    next.begin();
  }
}

function idsOf({ members }: ListRecord): number[] {
  return members.map(({ id }) => id);
}
