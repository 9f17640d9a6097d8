/** Rewrites the parts of a core's state, whatever its phase: for the passing of time, normal forms and renumbering. */
import type {
  CandidateState,
  Ending,
  ObservedRecord,
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

export function mapCore(core: CandidateState, map: CoreMap): CandidateState {
  const late = core.late.map(map.call);
  switch (core.type) {
    case 'idle':
      return { ...core, late };
    case 'waiting':
      return { ...core, late, nextMs: map.nextMs(core.nextMs), observed: observedBy(core, map) };
    case 'acquiring':
    case 'withdrawing':
      return { ...core, late, current: map.call(core.current), observed: observedBy(core, map) };
    case 'leading':
      return { ...core, late, ...holdingBy(core, map), term: map.term(core.term, false) };
    case 'stopping':
    case 'releasing':
      return {
        ...core,
        late,
        ...holdingBy(core, map),
        term: map.term(core.term, core.ending.overdue),
        ending: map.ending(core.ending),
      };
  }
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
  core !== null && 'term' in core ? core.term : null;

export const observedOf = (core: CandidateState): ObservedRecord | null =>
  'observed' in core ? core.observed : null;

export const isOverdue = (core: CandidateState | null): boolean =>
  (core?.type === 'stopping' || core?.type === 'releasing') && core.ending.overdue;

/** Campaigns, leads, or will campaign again. */
export function campaigns(core: CandidateState): boolean {
  if (core.type === 'stopping' || core.type === 'releasing') return core.again;
  return core.type !== 'idle' && core.type !== 'withdrawing';
}
