/** The leases that one candidate waits for at the same time: what is known of each, notifications, and dead holders. */
import type { LeaseRecord } from '../../lease/core/lease-record.ts';
import { ObservedLeases } from '../../lease/core/observed-leases.ts';
import type { LeaseTiming } from '../../lease/core/timing.ts';
import type { CallHooks, HeldLease } from './candidate-calls.ts';
import { HolderWatch } from './holder-watch.ts';
import type { StoreCalls } from './store-calls.ts';

export class SeveralLeases {
  readonly observed: ObservedLeases;
  private readonly holders: ReadonlyMap<string, HolderWatch>;

  constructor(
    private readonly names: readonly string[],
    timing: LeaseTiming,
    private readonly calls: StoreCalls,
    hooks: CallHooks,
  ) {
    this.observed = new ObservedLeases(timing);
    const onGone = (nonce: string): void => {
      this.observed.takeGone(nonce);
      hooks.send({ type: 'notification' });
    };
    this.holders = new Map(names.map((each) => [each, new HolderWatch(hooks.election, onGone)]));
  }

  /** Ends the term's hold on a lease that it does not use. If that fails, the lease expires. */
  giveUp(nonce: string, { name, token }: Pick<HeldLease, 'name' | 'token'>): void {
    const request = { name, nonce, token, reason: 'released', successor: null, reserveMs: 0 } as const;
    this.calls.release(request).catch(() => undefined);
  }

  async withdraw(nonce: string): Promise<void> {
    await Promise.all(this.names.map((name) => this.calls.withdraw({ name, nonce })));
  }

  watch(onNotification: (name: string) => void): () => void {
    const ends = this.names.map((name) =>
      this.calls.store.watch?.(name, () => {
        this.observed.outdate(name);
        onNotification(name);
      }),
    );
    return () => {
      for (const end of ends) end?.();
    };
  }

  observe(record: LeaseRecord | null): void {
    for (const [name, watch] of this.holders) {
      const known = this.observed.recordOf(name);
      if (record === null || known === undefined) watch.stop();
      else watch.observe(known);
    }
  }
}
