/**
 * Liveness without faults. From every state the system runs on without faults: messages arrive at once, timers fire in time,
 * and work stops when told to. Then each state has one successor, and every run ends in a cycle of states.
 *
 * Property: if a candidate campaigns, one leads in every state of the cycle, and always the same one, because no step both
 * ends a term and begins another. The search also computes the longest time until a candidate leads.
 */
import type { Search, Violation } from '../../../../study/src/checker/index.ts';
import type { LeaseSystem } from './lease-system.ts';
import { UNIT_MS } from './setting.ts';

export interface Quiescence {
  /** The longest time until a candidate leads, over all states. */
  readonly longestMs: number;
  /** A state from which no candidate leads forever. */
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
        const text = 'without further faults, no candidate leads forever';
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
