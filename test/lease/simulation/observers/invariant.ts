/** What must hold at every event. Each mutant names the one of these that catches it. */
export const INVARIANTS = {
  'one lease': 'P1: by the clock of the store there are never two unexpired leases',
  'no revival': 'a lease that has expired, or was released or evicted, is not extended',
  'owner only': 'nobody but its holder gives a lease back',
  successor: 'a lease that is kept for a successor is granted to nobody else meanwhile',
  deadline: 'P2: it leads only before the send of its latest granted request + soft, by both of its clocks',
  granted: 'P2: it leads only in a term that the store granted to that very nonce',
  'rising tokens': 'P3: each grant has a larger token than all before, and no two terms share one',
  fence: 'P4: the sink never accepts an older token after a newer one',
  'one leader':
    'in true time, no two candidates lead at once, as long as their clocks run true within the margin',
  'one worker': 'work that can be killed is dead before the work of the next term begins',
  order: 'elected, abort, overdue and over come in this order, each at most once in a term',
  'work first': 'nothing is released while the work runs',
  audit: 'every term that was granted is recorded, and recorded terms do not overlap',
  agreement: 'soon after the last fault one candidate leads, and all others know it',
  priority: 'soon after the last fault nobody of higher priority waits',
  quiescence: 'without faults nothing changes',
  progress: 'nobody does things for ever without time passing',
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
