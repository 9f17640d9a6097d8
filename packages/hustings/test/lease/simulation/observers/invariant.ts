/** The invariants, which must hold at every event. Each mutant names the invariants that catch it. */
export const INVARIANTS = {
  'one lease': 'P1: by the clock of the store there are never two unexpired leases',
  'no revival': 'a lease that has expired, or was released or evicted, is never extended',
  'owner only': 'only its holder releases a lease',
  successor: 'a lease that is reserved for a successor is granted to nobody else',
  'first come': 'in fair order no lease is granted while a candidate is registered that comes first',
  hold: 'no new term begins before the time for which the latest holder asked',
  deadline: 'P2: it leads only before the send of its latest granted request + soft, by both of its clocks',
  granted: 'P2: it leads only in a term that the store granted to that very nonce',
  'rising tokens': 'P3: each grant has a larger token than all before, and no two terms share one',
  fence: 'P4: the sink never accepts an older token after a newer one',
  'one leader': 'no two candidates lead at the same true time, while their clocks stay within the margin',
  'one worker': 'work that can be killed is dead before the work of the next term begins',
  order: 'elected, stopping, overdue and ended come in this order, each at most once per term',
  'work first': 'no lease is released while its work runs',
  audit: 'every term that was granted is recorded, and recorded terms do not overlap',
  pause:
    'a candidate that has led pauses before it asks again, and an evicted one stays out as long as it was told',
  'asks often':
    'a waiting candidate asks at least every 5 s, and every 2 s if it gets no notifications, whatever the TTL',
  'looks often': 'a leader that slept past its deadline tells its work to stop within a second of waking',
  agreement: 'soon after the last fault one candidate leads, and all others know it',
  priority: 'soon after the last fault no candidate of higher priority waits',
  quiescence: 'without faults nothing changes',
  progress: 'events do not repeat forever without time passing',
} as const;

export type Invariant = keyof typeof INVARIANTS;

export class InvariantBroken extends Error {
  constructor(
    readonly invariant: Invariant,
    readonly detail: string,
  ) {
    super(`${invariant} (${INVARIANTS[invariant]}): ${detail}`);
  }
}

export function hold(condition: boolean, invariant: Invariant, detail: () => string): void {
  if (!condition) throw new InvariantBroken(invariant, detail());
}
