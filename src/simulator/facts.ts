/** What the laws of an algorithm may ask about a run. */
import type { RunFacts } from '../kernel/law.ts';
import type { Plan } from './plan.ts';

/** `initiators` are those that did wake by themselves: a message may have come first. */
export function runFacts(plan: Plan, initiators: Int32Array): RunFacts {
  const { faults, ids, schedule, topology } = plan;
  const dead = faults.crashes.filter(({ time }) => time === 0).map(({ position }) => position);
  return {
    n: plan.nodes,
    k: initiators.length,
    m: topology.edges,
    ids,
    initiators,
    order: orderOf(ids),
    lockstep: schedule.kind === 'lockstep',
    fifo: schedule.kind === 'lockstep' || schedule.fifo,
    smooth:
      plan.wakeTimes === null &&
      !plan.cutShort &&
      faults.crashes.length === dead.length &&
      faults.recoveries.length === 0 &&
      faults.loss === 0 &&
      faults.duplication === 0 &&
      faults.partitions.length === 0,
    dead,
    params: plan.params,
  };
}

/** Clockwise by position, wherever it begins: 3 4 1 2 ascends. */
function orderOf(ids: Int32Array): RunFacts['order'] {
  let rises = 0;
  for (let at = 0; at < ids.length; at++) if (ids[(at + 1) % ids.length] > ids[at]) rises++;
  if (rises >= ids.length - 1) return 'ascending';
  return rises <= 1 ? 'descending' : 'other';
}
