/** A saved run played again, told and drawn: what `check` shows of one it has found, and `replay` of a file. */
import { type CheckOptions, check, costIn, type Replay, replay } from '../../checker/index.ts';
import { spaceTimeDiagram } from '../../drawing/index.ts';
import type { AnyAlgorithm } from '../../kernel/index.ts';
import { violationTitle } from './check-report.ts';
import type { Counterexample } from './counterexample-file.ts';
import { narrateStep } from './step-narration.ts';
import { networkOf } from './summary.ts';
import { costText, costTitle } from './worst-report.ts';

/** What check() and replay() both take. */
function settingsOf(counterexample: Counterexample) {
  const { ids, initiators, starts, fifo, topology, edges, set } = counterexample;
  return {
    ids,
    initiators,
    starts,
    fifo: fifo ?? undefined,
    topology: topology ?? undefined,
    edgeText: edges ?? undefined,
    set,
  } satisfies CheckOptions;
}

export function replayCounterexample(algorithm: AnyAlgorithm, counterexample: Counterexample): Replay {
  const { cost, property, steps } = counterexample;
  const extreme = cost === null ? undefined : { kind: cost.extreme, measure: cost.measure };
  return replay(algorithm, { ...settingsOf(counterexample), steps, property, extreme });
}

/** Does it cost what the file says? What has no most: can the steps that go round be taken again, and cost more? */
export function costsAgain(algorithm: AnyAlgorithm, saved: Counterexample, replayed: Replay): boolean {
  if (saved.cost === null) return false;
  const { measure, round, value } = saved.cost;
  const cost = costIn(replayed.cost, measure);
  if (value !== 'unbounded') return cost === value;
  if (round === 0) return false;
  const steps = [...saved.steps, ...saved.steps.slice(-round)];
  return costIn(replayCounterexample(algorithm, { ...saved, steps }).cost, measure) > cost;
}

/** Is the property broken again? Whether a run that has not ended ever would is for a search to say. */
export function showsAgain(algorithm: AnyAlgorithm, saved: Counterexample, replayed: Replay): boolean {
  const { property, crashes, recoveries, losses, suspect } = saved;
  if (replayed.violation !== null || replayed.ended || property !== 'termination') {
    return replayed.violation?.property === property;
  }
  const { violations } = check(algorithm, {
    ...settingsOf(saved),
    crashes,
    recoveries,
    losses,
    suspect,
    delay: saved.delay ?? undefined,
  });
  return violations.some((violation) => violation.property === property && violation.text === saved.text);
}

/** One line a step, numbered. What happened before the first has no number. */
export function tellReplay({ events, setup, steps: texts }: Replay): string[] {
  const ids = setup.anonymous ? null : setup.ids;
  const [before, ...steps] = events;
  const width = String(steps.length).length;
  const nodesThat = (kind: 'start' | 'crash'): number[] =>
    before.filter((event) => event.type === kind).map(({ node }) => node);
  const [starters, dead] = [nodesThat('start'), nodesThat('crash')];
  const opening = [
    ...dead.map((node) => `  node ${node} is dead`),
    ...(starters.length === 0 ? [] : [`  nodes ${starters.join(', ')} have started`]),
  ];
  return [
    ...opening,
    ...steps.map((step, k) => `  ${String(k + 1).padStart(width)}. ${narrateStep(texts[k], step, ids)}`),
  ];
}

export function drawReplay({ cost, events, setup }: Replay, saved: Counterexample): string {
  const { property, text } = saved;
  const { algorithm, topology, ids, anonymous } = setup;
  return spaceTimeDiagram(events.flat(), {
    title: `${algorithm.title}: ${saved.cost === null ? 'a counterexample' : costTitle(saved.cost)}`,
    subtitle: `${topology.n} nodes on ${networkOf(topology)}: ${saved.cost === null ? `${violationTitle(property)}: ${text}` : costText(cost)}`,
    topology,
    ids: anonymous ? null : ids,
    leader: null,
    axis: 'step',
    announcements: Object.keys(algorithm.messages).filter((type) => algorithm.messages[type].announces),
    upkeep: Object.keys(algorithm.messages).filter((type) => algorithm.messages[type].upkeep),
  });
}
