/**
 * The epochs of one member, as pure state: which epoch it takes part in, and when it proposes a new one.
 *
 * Each member tells the others its view, as far as it concerns them (sent-views.ts): the members that it hears, the member
 * that it takes for the proposer, and its epoch. Nothing else is exchanged: a proposer proposes by entering its new epoch, and
 * a member follows the member that it takes for the proposer. So a lost view costs nothing once a later one arrives.
 *
 * V1 A member takes the smallest id among itself and those with which it hears each other for the proposer.
 * V2 A member that takes itself for the proposer proposes the clique of clique.ts, with a number above all it has seen, if
 *    that clique is not the membership of its epoch, or a member of the clique has seen the number of its epoch and is not in
 *    it. A member that has not seen it yet, on a busy machine, will enter it: another proposal would delay it further. Epoch
 *    numbers are partitioned among the members: of n configured ones, the one with r smaller ids proposes only numbers that
 *    are r modulo n. So no two epochs have the same number, on whichever side of a cut they begin.
 * V3 Damping: the reason must last for a pause, and the clique must not change in it. The pause doubles with each
 *    proposal, up to a limit, and is reset when an epoch has lasted. A clique that only grows, as while members start, waits
 *    for the first pause and doubles nothing: a member that comes and goes is damped when it goes. If it has grown to all
 *    members, it waits for nobody.
 * V4 A member enters an epoch of its proposer, reported by any member, that contains it and is newer than all that it has
 *    entered, also before a restart. The number is durable before anything of the epoch leaves.
 * V5 A member leaves its epoch when a member of it reports a newer one, when messages of it were lost, or when it and a
 *    member of it have not heard each other for four pauses: nobody has proposed another epoch with this member.
 *
 * At rest, all members of the clique are in one epoch. A member outside every clique is in none.
 */
import {
  cliqueOf,
  compareEpochs,
  type Epoch,
  isSameEpoch,
  type MemberView,
  mutualMembers,
} from './clique.ts';

export interface EpochViewOptions {
  readonly self: number;
  /** All configured members. */
  readonly members: readonly number[];
  /** The largest number that this member has entered, from its state file; 0 at first. */
  readonly entered: number;
  /** How long a reason for a new epoch must last. */
  readonly pauseMs: number;
  /** The pause never grows beyond this. */
  readonly maxPauseMs: number;
}

/** One member's part in the agreement on epochs. */
export class EpochView {
  private readonly options: EpochViewOptions;
  private readonly views = new Map<number, MemberView>();
  private entered: number;
  private seen: number;
  private epoch: Epoch | null = null;
  private hears: readonly number[] = [];
  private pauseMs: number;
  /** The clique that the reason for a new epoch is about, and since when. */
  private wanted: { readonly key: string; readonly sinceMs: number } | null = null;
  private calmSinceMs: number | null = null;
  private cutSinceMs: number | null = null;

  constructor(options: EpochViewOptions) {
    this.options = options;
    this.entered = options.entered;
    this.seen = options.entered;
    this.pauseMs = options.pauseMs;
    this.noteOwn();
  }

  /** The epoch that this member takes part in. */
  get current(): Epoch | null {
    return this.epoch;
  }

  /** What this member tells all others. */
  get own(): MemberView {
    return this.views.get(this.options.self) as MemberView;
  }

  /** The members that this one hears. */
  setHears(hears: readonly number[]): void {
    this.hears = hears;
    this.noteOwn();
    this.follow();
  }

  /** The view of another member. */
  receive(from: number, view: MemberView): void {
    this.views.set(from, view);
    this.seen = Math.max(this.seen, view.seen, view.epoch?.number ?? 0);
    this.noteOwn();
    this.follow();
  }

  /** Messages of the present epoch were lost, or a member of it has lost its state. */
  abandon(): void {
    this.epoch = null;
    this.noteOwn();
  }

  /** Proposes an epoch if it is time; returns when to call again at the latest, or null. */
  poll(nowMs: number): number | null {
    this.leaveIfCut(nowMs);
    const clique = this.own.chooses === this.options.self ? cliqueOf(this.options.self, this.views) : null;
    const isCalm = clique === null || (this.isOwn(clique) && clique.every((id) => this.hasEntered(id)));
    this.calmSinceMs = isCalm ? (this.calmSinceMs ?? nowMs) : null;
    if (this.calmSinceMs !== null && nowMs - this.calmSinceMs >= this.pauseMs) {
      this.pauseMs = this.options.pauseMs;
    }
    if (clique === null || !this.hasReason(clique)) {
      this.wanted = null;
      return null;
    }
    const key = clique.join();
    if (this.wanted?.key !== key) this.wanted = { key, sinceMs: nowMs };
    const grows = this.isGrown(clique);
    const dueMs = this.wanted.sinceMs + (grows ? this.growthPauseMs(clique) : this.pauseMs);
    if (nowMs < dueMs) return dueMs;
    this.enter({ number: this.nextNumber(), proposer: this.options.self, members: clique });
    this.wanted = { key, sinceMs: nowMs };
    if (!grows) this.pauseMs = Math.min(2 * this.pauseMs, this.options.maxPauseMs); // V3
    return nowMs + this.pauseMs;
  }

  /** V3: nobody else can come if all are there. */
  private growthPauseMs(clique: readonly number[]): number {
    const { members, pauseMs } = this.options;
    return clique.length === members.length ? 0 : pauseMs;
  }

  /** Whether it is the membership of the present epoch, and more. */
  private isGrown(clique: readonly number[]): boolean {
    const members = this.epoch?.proposer === this.options.self ? this.epoch.members : null;
    return members !== null && members.length < clique.length && members.every((id) => clique.includes(id));
  }

  /** V2. */
  private nextNumber(): number {
    const { members, self } = this.options;
    const rank = members.filter((id) => id < self).length;
    const next = this.seen + 1;
    return next + ((((rank - next) % members.length) + members.length) % members.length);
  }

  /** V5. */
  private leaveIfCut(nowMs: number): void {
    const { self } = this.options;
    const mutual = mutualMembers(self, this.views);
    const isCut = this.epoch?.members.some((id) => id !== self && !mutual.includes(id)) ?? false;
    this.cutSinceMs = isCut ? (this.cutSinceMs ?? nowMs) : null;
    if (this.cutSinceMs !== null && nowMs - this.cutSinceMs >= 4 * this.options.pauseMs) this.abandon();
  }

  /** V2. */
  private hasReason(clique: readonly number[]): boolean {
    const { epoch } = this;
    if (epoch === null || !this.isOwn(clique)) return true;
    return clique.some((id) => !this.hasEntered(id) && (this.views.get(id)?.seen ?? 0) >= epoch.number);
  }

  /** Whether it is the membership of an epoch that this member has proposed. */
  private isOwn(clique: readonly number[]): boolean {
    return this.epoch?.proposer === this.options.self && this.epoch.members.join() === clique.join();
  }

  private hasEntered(id: number): boolean {
    return isSameEpoch(this.views.get(id)?.epoch ?? null, this.epoch);
  }

  /** V4, V5. */
  private follow(): void {
    const { self } = this.options;
    for (const view of this.views.values()) {
      const { epoch } = view;
      if (
        epoch !== null &&
        epoch.proposer === this.own.chooses &&
        epoch.members.includes(self) &&
        this.isNew(epoch)
      )
        this.enter(epoch);
    }
    for (const id of this.epoch?.members ?? []) {
      const other = this.views.get(id)?.epoch;
      if (this.epoch && other && compareEpochs(other, this.epoch) > 0) this.abandon();
    }
  }

  private isNew(epoch: Epoch): boolean {
    return epoch.number > this.entered || (this.epoch !== null && compareEpochs(epoch, this.epoch) > 0);
  }

  private enter(epoch: Epoch): void {
    this.epoch = epoch;
    this.entered = epoch.number;
    this.seen = Math.max(this.seen, epoch.number);
    this.noteOwn();
  }

  private noteOwn(): void {
    const { self } = this.options;
    const { epoch, hears, seen } = this;
    this.views.set(self, { hears, chooses: self, seen, epoch });
    const [chooses = self] = mutualMembers(self, this.views);
    if (chooses < self) this.views.set(self, { hears, chooses, seen, epoch }); // V1
  }
}
