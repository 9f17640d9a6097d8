/** Another candidate, in the place of a replica on another host. It has a connection of its own to the store. */
import { createElector } from '../elector/create-elector.ts';
import type { Lead } from '../elector/lead.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import type { TestClock } from './test-clock.ts';
import { TestConnection } from './test-connection.ts';

/** Another candidate that leads, and renews its lease while the clock of the kit moves. */
export interface OtherLeader {
  /** The election. */
  readonly name: string;
  readonly id: string;
  /** The fencing token of its term. */
  readonly token: bigint;
  /** Gives the lease back: a waiting candidate is elected at once. */
  release(): Promise<void>;
  /** Dies without a release: the lease expires one TTL after its latest renewal. */
  crash(): void;
}

/** Takes the lease at once, also from a holder that still works. */
export async function electOther(
  inner: LeaseStore,
  clock: TestClock,
  name: string,
  id: string,
): Promise<OtherLeader> {
  const connection = new TestConnection(inner, clock);
  connection.takesOver = true;
  const elector = createElector({ store: connection.store, clock, name, id, processProof: '' });
  const lead: Lead = await elector.acquire();
  return {
    name,
    id,
    token: lead.token,
    release: () => lead.release(),
    crash: () => {
      connection.fault = 'silent';
      void elector.close();
    },
  };
}
