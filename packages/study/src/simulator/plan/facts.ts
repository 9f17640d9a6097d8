/** Collects the facts about a run that laws may depend on. */
import type { RunFacts } from '../../kernel/law.ts';
import { diameter } from '../../kernel/network/topology-measures.ts';
import { hasBoundedDelay } from './assumptions.ts';
import type { Plan } from './plan.ts';

/** The diameter is not computed if that takes more steps. */
const MAX_STEPS = 100_000_000;

/** `initiators` are the nodes that did start by themselves: a message may have reached a planned initiator first. */
export function runFacts(plan: Plan, initiators: Int32Array, wakeTimes: Float64Array | null): RunFacts {
  const { faults, ids, schedule, topology } = plan;
  const dead = faults.crashes.filter(({ time }) => time === 0).map(({ position }) => position);
  return {
    n: plan.nodes,
    k: initiators.length,
    m: topology.edges,
    ids,
    initiators,
    wakeTimes,
    order: orderOf(ids),
    lockstep: schedule.type === 'lockstep',
    fifo: schedule.type === 'lockstep' || schedule.fifo,
    faultless:
      plan.wakeTimes === null &&
      !plan.cutShort &&
      faults.crashes.length === dead.length &&
      faults.recoveries.length === 0 &&
      faults.loss === 0 &&
      faults.duplication === 0 &&
      faults.partitions.length === 0,
    dead,
    crashes: faults.crashes,
    recoveries: faults.recoveries,
    boundedDelay: hasBoundedDelay(plan),
    get D() {
      const isQuick = topology.kind !== 'graph' || topology.edges < topology.n;
      return isQuick || topology.n * topology.edges <= MAX_STEPS ? diameter(topology) : null;
    },
    params: plan.params,
  };
}

/** The order of the ids up to rotation: 3 4 1 2 is ascending. */
function orderOf(ids: Int32Array): RunFacts['order'] {
  let rises = 0;
  for (let at = 0; at < ids.length; at++) if (ids[(at + 1) % ids.length] > ids[at]) rises++;
  if (rises >= ids.length - 1) return 'ascending';
  return rises <= 1 ? 'descending' : 'other';
}
