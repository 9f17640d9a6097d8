/**
 * A candidate that wants several elections at once. To the core it is one lease: a request is granted if the store grants all
 * leases in one atomic step, and refused with the record of the lease that is free last. Names are asked for in one order.
 *
 * Guaranteed: a term holds all leases. If one of them is lost, the term ends, and the others are released when its work has
 * stopped. Not guaranteed: that a candidate for several elections is ever served, if candidates for one of them alone never
 * leave all of them free at the same time. No lease is reserved for it meanwhile.
 */
import { StoreError } from '../../lease/core/store-error.ts';
import type { LeaseTiming } from '../../lease/core/timing.ts';
import type { Clock } from '../../lease/host/process-clock.ts';
import type * as Store from '../../lease/store-interface.ts';
import type { CallHooks, CandidateCalls, HeldLease } from './candidate-calls.ts';
import { SeveralLeases } from './several-leases.ts';
import type { StoreCalls } from './store-calls.ts';

type Held = Pick<HeldLease, 'name' | 'token'>;

export class GroupCalls implements CandidateCalls {
  readonly store: Store.LeaseStore;
  private readonly leases: SeveralLeases;
  /** The leases of each term that was not released, by nonce. */
  private readonly grants = new Map<string, readonly Held[]>();
  /** The leases that the holder was asked to hand over, each with the candidate. */
  private readonly successors = new Map<string, string>();

  constructor(
    private readonly name: string,
    private readonly names: readonly string[],
    timing: LeaseTiming,
    private readonly calls: StoreCalls,
    private readonly clock: Clock,
    private readonly hooks: CallHooks,
  ) {
    this.store = calls.store;
    this.leases = new SeveralLeases(names, timing, calls, hooks);
  }

  async acquire(request: Store.AcquireRequest): Promise<Store.AcquireAnswer> {
    if (!this.store.capabilities.transactions) {
      const text = 'has no transactions over several elections; give one name, or use another store';
      throw new StoreError('unusable', `${this.store.label} ${text}`);
    }
    const { observed } = this.leases;
    const sent = this.clock.now();
    const requests = this.names.map((name) => observed.requestFor(name, request, sent));
    const answers = await this.store.acquireAll!(requests);
    const now = this.clock.now();
    const granted = answers.flatMap((answer, index) =>
      answer.type === 'ok' ? [{ ...answer, name: this.names[index] }] : [],
    );
    if (granted.length === answers.length) {
      this.grants.set(request.nonce, granted);
      this.successors.clear();
      const { token, checkpoint } = granted[0];
      return { type: 'ok', token, checkpoint };
    }
    for (const answer of answers) if (answer.type === 'held') observed.see(answer.record, now);
    const untilFreeMs = (name: string): number => observed.untilFreeMs(name, request, now);
    const last = this.names.reduce((a, b) => (untilFreeMs(b) > untilFreeMs(a) ? b : a));
    const record = observed.recordOf(last)!;
    return { type: 'held', record: { ...record, name: this.name, remainingMs: untilFreeMs(last) } };
  }

  async renew(request: Store.RenewRequest): Promise<Store.RenewAnswer> {
    const held = this.heldBy(request.nonce);
    const answers = await Promise.all(
      held.map(({ name, token }) => {
        const update = this.updateOf(name, request.update);
        return this.calls.renew({ ...request, name, token, ...(update && { update }) });
      }),
    );
    const lost = answers.find(({ type }) => type === 'lost');
    if (lost !== undefined) return lost;
    const evicted = answers.find((answer) => answer.type === 'evicted');
    if (evicted !== undefined) return evicted;
    const oks = answers.filter((answer) => answer.type === 'ok');
    for (const [index, { challenger, transferTo }] of oks.entries()) {
      const successor = transferTo ?? challenger?.id;
      if (successor !== undefined) this.successors.set(held[index].name, successor);
    }
    const transferTo = oks.find((each) => each.transferTo !== null)?.transferTo ?? null;
    const challenger = oks.find((each) => each.challenger !== null)?.challenger ?? null;
    return { type: 'ok', challenger, transferTo };
  }

  /** A lease that a candidate asked for is reserved for it. If none was, all are. */
  async release(request: Store.ReleaseRequest): Promise<Store.ReleaseAnswer> {
    const { nonce, successor, checkpoint, ...rest } = request;
    const held = this.heldBy(nonce);
    const asked = held.filter(({ name }) => this.successors.get(name) === successor);
    const isReserved = (name: string): boolean =>
      asked.length === 0 || asked.some((each) => each.name === name);
    const answers = await Promise.all(
      held.map(({ name, token }) =>
        this.calls.release({
          ...{ ...rest, nonce, name, token, successor: isReserved(name) ? successor : null },
          ...(name === this.names[0] && checkpoint !== undefined && { checkpoint }),
        }),
      ),
    );
    this.grants.delete(nonce);
    const evicted = answers.find(({ type }) => type === 'evicted');
    return evicted ?? answers.find(({ type }) => type === 'ok') ?? { type: 'lost' };
  }

  /** The term has ended without a release, because one of its leases was lost. What is left of it is released. */
  abandon(): void {
    for (const [nonce, held] of this.grants) {
      this.grants.delete(nonce);
      for (const lease of held) this.leases.giveUp(nonce, lease);
    }
  }

  withdraw({ nonce }: Store.WithdrawRequest): Promise<void> {
    return this.leases.withdraw(nonce);
  }

  watch(): () => void {
    return this.leases.watch(() => this.hooks.send({ type: 'notification' }));
  }

  observe(record: Store.LeaseRecord | null): void {
    this.leases.observe(record);
  }

  leasesOf(nonce: string, token: bigint): readonly HeldLease[] {
    const held = this.grants.get(nonce) ?? [{ name: this.names[0], token }];
    return held.map((each) => ({ name: each.name, token: each.token, slot: 1 }));
  }

  /** A candidate that waits for one of the leases may get that one. */
  async candidates(): Promise<readonly Store.WaitingCandidate[]> {
    return (await Promise.all(this.names.map((name) => this.store.candidates(name)))).flat();
  }

  /** The checkpoint of the term is that of the first election. The others keep theirs, for their own leaders. */
  private updateOf(name: string, update: Store.TermUpdate | undefined): Store.TermUpdate | undefined {
    if (update === undefined || name === this.names[0]) return update;
    const { checkpoint: _, ...others } = update;
    return others;
  }

  private heldBy(nonce: string): readonly Held[] {
    return this.grants.get(nonce) ?? [];
  }
}
