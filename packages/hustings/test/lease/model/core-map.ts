/** Rewrites the parts of a core's state, whatever its phase: for the passing of time, normal forms and renumbering. */
import type {
  CandidateState,
  Ending,
  Memory,
  ObservedRecord,
  Phase,
  TermState,
} from '../../../src/lease/core/candidate-state.ts';
import type { PendingCall } from '../../../src/lease/core/pending-call.ts';

export interface CoreMap {
  call(call: PendingCall): PendingCall;
  nextMs(nextMs: number): number;
  /** `overdue`: the lease was about to end while the work still ran. */
  term(term: TermState, overdue: boolean): TermState;
  ending(ending: Ending): Ending;
  observed(observed: ObservedRecord): ObservedRecord | null;
}

export function mapCore({ phase, memory }: CandidateState, map: CoreMap): CandidateState {
  return { phase: mapPhase(phase, map), memory: { ...memory, late: memory.late.map(map.call) } };
}

function mapPhase(phase: Phase, map: CoreMap): Phase {
  switch (phase.type) {
    case 'idle':
      return phase;
    case 'waiting':
      return { ...phase, nextMs: map.nextMs(phase.nextMs), observed: observedBy(phase, map) };
    case 'acquiring':
    case 'withdrawing':
      return { ...phase, current: map.call(phase.current), observed: observedBy(phase, map) };
    case 'leading':
      return { ...phase, ...holdingBy(phase, map), term: map.term(phase.term, false) };
    case 'stopping':
    case 'releasing':
      return {
        ...phase,
        ...holdingBy(phase, map),
        term: map.term(phase.term, phase.ending.overdue),
        ending: map.ending(phase.ending),
      };
  }
}

export function withMemory({ phase, memory }: CandidateState, change: Partial<Memory>): CandidateState {
  return { phase, memory: { ...memory, ...change } };
}

function observedBy({ observed }: { readonly observed: ObservedRecord | null }, map: CoreMap) {
  return observed === null ? null : map.observed(observed);
}

function holdingBy(
  { current, nextMs }: { readonly current: PendingCall | null; readonly nextMs: number },
  map: CoreMap,
) {
  return { current: current === null ? null : map.call(current), nextMs: map.nextMs(nextMs) };
}

export const termOf = (core: CandidateState | null): TermState | null =>
  core !== null && 'term' in core.phase ? core.phase.term : null;

export const observedOf = ({ phase }: CandidateState): ObservedRecord | null =>
  'observed' in phase ? phase.observed : null;

export const isOverdue = (core: CandidateState | null): boolean =>
  core !== null && 'ending' in core.phase && core.phase.ending.overdue;

/** Campaigns, leads, or will campaign again. */
export function campaigns({ phase }: CandidateState): boolean {
  if (phase.type === 'stopping' || phase.type === 'releasing') return phase.again;
  return phase.type !== 'idle' && phase.type !== 'withdrawing';
}
