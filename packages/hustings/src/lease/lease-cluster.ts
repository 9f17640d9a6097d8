/** What an elector needs of a cluster. `openCluster` of `@hustings/cluster` makes one; the elector itself loads nothing of it. */
import type { LeaseStore } from './lease-store.ts';

/** A cluster of processes with one leader, as a source of leases: only the member that leads is granted any. */
export interface LeaseCluster {
  /** The member that this process is. */
  readonly id: number;
  /**
   * How long the support of a majority lets a member lead, less the margin for clocks that run at different rates. Exact when
   * `leases` has resolved.
   */
  readonly leaseMs: number;
  /** The leadership of this member as a store. Resolves when the member takes part, and rejects with the reason if it cannot. */
  leases(): Promise<LeaseStore>;
}
