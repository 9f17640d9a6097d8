/** The laws that give an exact count of messages in every schedule, for a run in which every member started by itself. */

import type { MessageCounts, Setup } from '@hustings/study/driver';
import { type Law, lawValue, type RunFacts } from '@hustings/study/kernel';
import type { RecordedLaw } from './run-report.ts';

function countIn({ measure }: Law, counts: MessageCounts): number | undefined {
  if (measure === 'election' || measure === 'announcement') return counts[measure];
  return typeof measure === 'object' && 'messages' in measure ? counts.byType[measure.messages] : undefined;
}

/** The facts of a run between members: all start, at different times; delays are not equal. */
function factsOf({ ids, nodes: n, params, topology }: Setup): RunFacts {
  const positions = Array.from({ length: n }, (_, at) => at);
  return {
    n,
    k: n,
    m: topology.edges,
    ids,
    initiators: Int32Array.from(positions),
    wakeTimes: Float64Array.from(positions),
    order: 'ascending',
    lockstep: false,
    fifo: true,
    faultless: false,
    dead: [],
    crashes: [],
    recoveries: [],
    boundedDelay: true,
    D: null,
    params,
  };
}

/** The exact laws that apply, beside the messages of the run. */
export function exactCounts(setup: Setup, counts: MessageCounts): RecordedLaw[] {
  return setup.algorithm.laws.flatMap((law) => {
    const recorded = law.kind === 'exact' ? countIn(law, counts) : undefined;
    const value = recorded === undefined ? undefined : lawValue(law, factsOf(setup));
    if (recorded === undefined || value === undefined) return [];
    return [{ measure: law.measure, formula: law.formula, value, recorded }];
  });
}
