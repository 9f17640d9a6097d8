/**
 * The calls of one candidate to its store. The core asks for one lease. An election may have several: a candidate then wants
 * one of them (slot-calls.ts), or all of them (group-calls.ts).
 */
import type { Input } from '../../lease/core/lease-event.ts';
import type * as Store from '../../lease/store-interface.ts';
import { HolderWatch } from './holder-watch.ts';
import type { StoreCalls } from './store-calls.ts';

/** A lease that a term holds. */
export interface HeldLease {
  readonly name: string;
  readonly token: bigint;
  /** From 1. */
  readonly slot: number;
}

export interface CandidateCalls {
  readonly store: Store.LeaseStore;
  acquire(request: Store.AcquireRequest): Promise<Store.AcquireAnswer>;
  renew(request: Store.RenewRequest): Promise<Store.RenewAnswer>;
  release(request: Store.ReleaseRequest): Promise<Store.ReleaseAnswer>;
  withdraw(request: Store.WithdrawRequest): Promise<void>;
  /** A term has ended whose release the store has not confirmed. */
  abandon?(): void;
  /** Notifications of the store become inputs of the core. Returns a function that ends that. */
  watch(): () => void;
  /** Takes the record for which the core waits; null if it does not wait. The end of its holder becomes an input of the core. */
  observe(record: Store.LeaseRecord | null): void;
  /** The leases of the term with this nonce, which the store granted with this token. */
  leasesOf(nonce: string, token: bigint): readonly HeldLease[];
  /** The candidates that wait for a lease of the term that leads. */
  candidates(): Promise<readonly Store.WaitingCandidate[]>;
}

/** `election` is what `markCandidate` is given. */
export interface CallHooks {
  readonly election: string;
  send(input: Input): void;
}

/** One lease: the calls of the core are the calls of the store. */
export class SingleCalls implements CandidateCalls {
  readonly store: Store.LeaseStore;
  private readonly holders: HolderWatch;

  constructor(
    private readonly name: string,
    private readonly calls: StoreCalls,
    private readonly hooks: CallHooks,
  ) {
    this.store = calls.store;
    this.holders = new HolderWatch(hooks.election, (nonce) => hooks.send({ type: 'gone', nonce }));
  }

  acquire(request: Store.AcquireRequest): Promise<Store.AcquireAnswer> {
    return this.calls.acquire(request);
  }

  renew(request: Store.RenewRequest): Promise<Store.RenewAnswer> {
    return this.calls.renew(request);
  }

  release(request: Store.ReleaseRequest): Promise<Store.ReleaseAnswer> {
    return this.calls.release(request);
  }

  withdraw(request: Store.WithdrawRequest): Promise<void> {
    return this.calls.withdraw(request);
  }

  watch(): () => void {
    return this.store.watch?.(this.name, () => this.hooks.send({ type: 'notification' })) ?? (() => {});
  }

  observe(record: Store.LeaseRecord | null): void {
    if (record === null) this.holders.stop();
    else this.holders.observe(record);
  }

  leasesOf(_: string, token: bigint): readonly HeldLease[] {
    return [{ name: this.name, token, slot: 1 }];
  }

  candidates(): Promise<readonly Store.WaitingCandidate[]> {
    return this.store.candidates(this.name);
  }
}
