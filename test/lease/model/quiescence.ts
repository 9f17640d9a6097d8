/**
 * What comes of every state once nothing fails any more: messages arrive at once, timers fire in time, work that is told
 * to stop stops. Then there is one way on from each state, and it ends in a ring of states that comes again and again.
 *
 * Claimed: if anybody stands, somebody leads in every state of the ring, and so always the same one, because no step
 * ends one candidate's term and begins another's. And it is known how long it takes at most until somebody leads.
 */
import type { Search, Violation } from '../../../src/checker/index.ts';
import type { LeaseSystem } from './lease-system.ts';
import { UNIT_MS } from './setting.ts';

export interface Quiescence {
  /** From the state that is worst in this. */
  readonly longestMs: number;
  /** A state from which no lasting leader comes. */
  readonly finding: (Violation & { readonly state: number; readonly step: null }) | null;
}

const NOBODY_CAMPAIGNS = -2;

export function quiescenceFrom(system: LeaseSystem, { seen }: Search): Quiescence {
  const { count } = seen;
  const after = new Int32Array(count);
  const takesTime = new Uint8Array(count);
  const leads = new Uint8Array(count);
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  for (let number = 0; number < count; number++) {
    seen.read(number, state);
    const { time, campaigns } = system.stepWithoutFault(state, next);
    after[number] = campaigns ? seen.find(next) : NOBODY_CAMPAIGNS;
    takesTime[number] = time ? 1 : 0;
    leads[number] = system.hasLeader(state) ? 1 : 0;
  }
  const units = new Int32Array(count).fill(-1);
  let longest = 0;
  for (let start = 0; start < count; start++) {
    const path: number[] = [];
    let at = start;
    while (at >= 0 && units[at] === -1) {
      units[at] = -2;
      path.push(at);
      at = after[at];
    }
    if (at >= 0 && units[at] === -2) {
      const ring = path.slice(path.indexOf(at));
      if (ring.some((number) => leads[number] === 0)) {
        const text = 'nothing fails any more, and no lasting leader comes';
        return { longestMs: 0, finding: { property: 'recovery', text, state: start, step: null } };
      }
    }
    for (let k = path.length - 1; k >= 0; k--) {
      const number = path[k];
      const to = after[number];
      units[number] = leads[number] === 1 || to < 0 ? 0 : Math.max(0, units[to]) + takesTime[number];
      longest = Math.max(longest, units[number]);
    }
  }
  return { longestMs: longest * UNIT_MS, finding: null };
}
