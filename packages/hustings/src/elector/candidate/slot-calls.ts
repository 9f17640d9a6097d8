/**
 * A candidate in an election with several slots. To the core it is one lease: a request is granted if one of the slots is
 * free, and refused with the record of the slot that is free next.
 *
 * Guaranteed: a term has one slot. If the store grants two, because two were released since the last answer or because a
 * request took effect late, the second one is released at once, unused. A slot that is known to be held is only asked for to
 * register, so a waiting candidate finds any free slot in one round trip.
 *
 * Guaranteed: two candidates with different numbers of slots, each in a slot that both know, never lead at the same time.
 *
 * Candidates take the lowest free slot. So a candidate of more slots meets the holders of the lower slots before it takes one
 * that the others do not know.
 */
import type { ObservedLeases } from '../../lease/core/observed-leases.ts';
import { slotsOf } from '../../lease/core/slot.ts';
import { StoreError } from '../../lease/core/store-error.ts';
import type { LeaseTiming } from '../../lease/core/timing.ts';
import type { Clock } from '../../lease/host/process-clock.ts';
import type * as Store from '../../lease/store-interface.ts';
import { within } from '../timeouts.ts';
import type { CallHooks, CandidateCalls, HeldLease } from './candidate-calls.ts';
import { SeveralLeases } from './several-leases.ts';
import type { StoreCalls } from './store-calls.ts';

/** Grants of earlier terms, whose release may be pending. */
const MAX_GRANTS = 4;

export class SlotCalls implements CandidateCalls {
  readonly store: Store.LeaseStore;
  private readonly observed: ObservedLeases;
  private readonly leases: SeveralLeases;
  /** The slot of each term, by nonce; the latest last. */
  private readonly grants = new Map<string, Grant>();
  private requests = 0;
  private pending: Promise<unknown> = Promise.resolve();
  /** The nonce of the latest request. */
  private nonce = '';

  /** `names` are those of the slots. */
  constructor(
    private readonly name: string,
    private readonly names: readonly string[],
    private readonly timing: LeaseTiming,
    private readonly calls: StoreCalls,
    private readonly clock: Clock,
    private readonly hooks: CallHooks,
  ) {
    this.store = calls.store;
    this.leases = new SeveralLeases(names, timing, calls, hooks);
    this.observed = this.leases.observed;
  }

  /**
   * One request at a time: on a slow store, requests that have timed out would otherwise pile up, each with several round trips.
   * Only the latest of the requests that wait is sent.
   */
  acquire(request: Store.AcquireRequest): Promise<Store.AcquireAnswer> {
    const number = ++this.requests;
    const before = this.pending;
    const answer = this.afterwards(before, () => {
      if (number === this.requests) return this.choosing(request);
      throw new StoreError('busy', `${this.store.label}: a later request has replaced this one`);
    });
    this.pending = answer.catch(() => undefined);
    return answer;
  }

  /** A call that is never answered does not stop the candidate. */
  private async afterwards<Answer>(before: Promise<unknown>, act: () => Promise<Answer>): Promise<Answer> {
    await within(this.timing.ttlMs, before, this.store.label, this.clock).catch(() => undefined);
    return act();
  }

  private async choosing(request: Store.AcquireRequest): Promise<Store.AcquireAnswer> {
    const isNew = request.nonce !== this.nonce || this.observed.records.length < this.names.length;
    this.nonce = request.nonce;
    if (isNew || this.isSkipping(request)) this.see(await this.store.read(this.names));
    const tried = new Set<string>();
    for (;;) {
      const mismatched = this.mismatched(request);
      if (mismatched !== undefined) return this.refusal(request, mismatched);
      const asked = this.choose(request, tried);
      if (asked.length === 0) return this.refusal(request);
      const granted = await this.ask(request, asked);
      if (granted !== null) {
        await this.reread(request, granted);
        return this.keep(request, granted);
      }
      for (const name of asked) tried.add(name);
    }
  }

  /** A slot that may be free, and in the first round all that are held, to register. */
  private choose(request: Store.AcquireRequest, tried: ReadonlySet<string>): readonly string[] {
    const now = this.clock.now();
    const free = this.names.filter((name) => this.observed.untilFreeMs(name, request, now) === 0);
    const isOwn = (name: string): boolean => this.observed.recordOf(name)?.holder?.nonce === request.nonce;
    const isReserved = (name: string): boolean => this.observed.recordOf(name)?.successor === request.id;
    const left = free.filter((name) => !tried.has(name));
    const target = left.find(isOwn) ?? left.find(isReserved) ?? left.at(0);
    // Ask only one holder to yield to a candidate of higher priority: each holder that is asked yields. Ask none while another
    // slot may be free.
    const skipped = this.lower(request).slice(target === undefined ? 1 : 0);
    const isHeld = (name: string): boolean => !free.includes(name) && !skipped.includes(name);
    const held = tried.size === 0 ? this.names.filter(isHeld) : [];
    return target === undefined ? held : [target, ...held];
  }

  /** One round trip. Null if nothing was granted. */
  private async ask(request: Store.AcquireRequest, names: readonly string[]): Promise<Grants | null> {
    const now = this.clock.now();
    const requests = names.map((name) => this.observed.requestFor(name, request, now));
    const outcomes = await Promise.allSettled(requests.map((each) => this.calls.acquire(each)));
    const granted = outcomes.flatMap((outcome, index) =>
      outcome.status === 'fulfilled' && outcome.value.type === 'ok'
        ? [{ ...outcome.value, name: names[index] }]
        : [],
    );
    this.see(
      outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' && outcome.value.type === 'held' ? [outcome.value.record] : [],
      ),
    );
    const [first, ...others] = granted;
    if (first !== undefined) return { first, others };
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return null;
  }

  /**
   * Each of two candidates with different numbers reads after it was granted a slot that both know. So the one that was granted
   * its slot last sees the other, and gives its slot up unused.
   */
  private async reread({ nonce }: Store.AcquireRequest, { first, others }: Grants): Promise<void> {
    try {
      this.see(await this.store.read(this.names));
    } catch (error) {
      for (const grant of [first, ...others]) this.giveUp(nonce, grant);
      throw error;
    }
  }

  /** Keeps one slot for the term, and gives everything else up. */
  private keep(request: Store.AcquireRequest, { first, others }: Grants): Store.AcquireAnswer {
    const { nonce } = request;
    const known = this.grants.get(nonce);
    const isOther = known !== undefined && known.name !== first.name;
    const mismatched = this.mismatched(request);
    const isKept = !isOther && mismatched === undefined;
    for (const grant of isKept ? others : [first, ...others]) this.giveUp(nonce, grant);
    if (!isKept) return this.refusal(request, mismatched);
    this.grants.set(nonce, first);
    for (const old of [...this.grants.keys()].slice(0, -MAX_GRANTS)) this.grants.delete(old);
    const rest = this.names.filter((name) => name !== first.name);
    for (const name of rest) this.calls.withdraw({ name, nonce }).catch(() => undefined);
    const { token, checkpoint } = first;
    return { type: 'ok', token, checkpoint };
  }

  private giveUp(nonce: string, grant: Grant): void {
    this.observed.outdate(grant.name);
    this.leases.giveUp(nonce, grant);
  }

  /** A slot whose holder was given another number of slots. */
  private mismatched(request: Store.AcquireRequest): Store.LeaseRecord | undefined {
    const now = this.clock.now();
    return this.observed.records.find(
      ({ name, holder }) =>
        holder !== null &&
        slotsOf(holder.nonce) !== this.names.length &&
        this.observed.untilFreeMs(name, request, now) > 0,
    );
  }

  /** The slots whose holders have a lower priority, the lowest first. */
  private lower({ priority }: Store.AcquireRequest): readonly string[] {
    return this.observed.records
      .filter(({ holder }) => holder !== null && holder.priority < priority)
      .sort((a, b) => a.holder!.priority - b.holder!.priority)
      .map(({ name }) => name);
  }

  /** What is not asked for is read, so that a slot that was released is found. A mismatched slot is never asked for. */
  private isSkipping(request: Store.AcquireRequest): boolean {
    return this.lower(request).length > 1 || this.mismatched(request) !== undefined;
  }

  /** With the time until the next slot may be free, as the core waits for one lease. */
  private refusal(request: Store.AcquireRequest, mismatched?: Store.LeaseRecord): Store.AcquireAnswer {
    const now = this.clock.now();
    const untilFreeMs = (name: string): number => this.observed.untilFreeMs(name, request, now);
    const soonest = this.names.reduce((a, b) => (untilFreeMs(b) < untilFreeMs(a) ? b : a));
    // Do not name the holder that expires first: it changes with every renewal, and so would the log.
    const shown = mismatched?.name ?? this.lower(request).at(0) ?? this.names[0];
    const remainingMs = untilFreeMs(mismatched?.name ?? soonest);
    return { type: 'held', record: { ...this.observed.recordOf(shown)!, name: this.name, remainingMs } };
  }

  private see(records: readonly Store.LeaseRecord[]): void {
    const now = this.clock.now();
    for (const record of records) this.observed.see(record, now);
  }

  /** A holder does not yield to a candidate that has asked for this slot and leads in another one by now. */
  async renew(request: Store.RenewRequest): Promise<Store.RenewAnswer> {
    const answer = await this.calls.renew({ ...request, name: this.slotOf(request.nonce) });
    if (answer.type !== 'ok' || answer.challenger === null) return answer;
    const { id } = answer.challenger;
    // Without the records the challenger is heard with the next renewal.
    const asked = this.store.read(this.names);
    const records = await within(this.timing.requestTimeoutMs / 4, asked, this.store.label, this.clock).catch(
      () => null,
    );
    const leads = records === null || records.some(({ holder }) => holder?.id === id);
    return leads ? { ...answer, challenger: null } : answer;
  }

  async release(request: Store.ReleaseRequest): Promise<Store.ReleaseAnswer> {
    return this.calls.release({ ...request, name: this.slotOf(request.nonce) });
  }

  withdraw({ nonce }: Store.WithdrawRequest): Promise<void> {
    return this.leases.withdraw(nonce);
  }

  /** A candidate that leads is notified of its own slot only. */
  watch(): () => void {
    return this.leases.watch((name) => {
      const own = this.grants.get(this.nonce);
      if (own === undefined || own.name === name) this.hooks.send({ type: 'notification' });
    });
  }

  observe(record: Store.LeaseRecord | null): void {
    this.leases.observe(record);
  }

  leasesOf(nonce: string, token: bigint): readonly HeldLease[] {
    const name = this.slotOf(nonce);
    return [{ name, token, slot: this.names.indexOf(name) + 1 }];
  }

  candidates(): Promise<readonly Store.WaitingCandidate[]> {
    return this.store.candidates(this.slotOf(this.nonce));
  }

  private slotOf(nonce: string): string {
    return this.grants.get(nonce)?.name ?? this.name;
  }
}

interface Grant {
  readonly name: string;
  readonly token: bigint;
  readonly checkpoint: string | null;
}

interface Grants {
  readonly first: Grant;
  readonly others: readonly Grant[];
}
