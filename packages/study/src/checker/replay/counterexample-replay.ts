/** Replays and narrates saved runs, and checks that they still show what they were saved for. */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { formatFields } from '../../kernel/trace.ts';
import { narrateStep } from '../../kernel/world/narration.ts';
import { parseStep } from '../../kernel/world/step.ts';
import { check } from '../check.ts';
import type { CheckOptions } from '../check-options.ts';
import { costIn } from '../cost/run-cost.ts';
import type { Counterexample } from './counterexample-file.ts';
import { type Replay, replay } from './replay.ts';

/** The options that check() and replay() share. */
function settingsOf(counterexample: Counterexample) {
  const { delay, edges, fifo, ids, initiators, set, starts, suspect, topology } = counterexample;
  return {
    ids,
    initiators,
    starts,
    fifo: fifo ?? undefined,
    topology: topology ?? undefined,
    edgeText: edges ?? undefined,
    set,
    delay: delay ?? undefined,
    suspect,
  } satisfies CheckOptions;
}

/** Repeats a saved run. */
export function replayCounterexample(algorithm: AnyAlgorithm, counterexample: Counterexample): Replay {
  const { cost, property, steps } = counterexample;
  const extreme = cost === null ? undefined : { kind: cost.extreme, measure: cost.measure };
  return replay(algorithm, { ...settingsOf(counterexample), steps, property, extreme });
}

/** True if the replay violates the property again, or costs what the file says. */
export function isReproduced(algorithm: AnyAlgorithm, saved: Counterexample, replayed: Replay): boolean {
  if (saved.cost === null) return violatesAgain(algorithm, saved, replayed);
  const { measure, cycleLength, value } = saved.cost;
  const cost = costIn(replayed.cost, measure);
  if (value !== 'unbounded') return cost === value;
  // Without a maximum: the steps of the cycle can be taken again, and cost more.
  if (cycleLength === 0) return false;
  const steps = [...saved.steps, ...saved.steps.slice(-cycleLength)];
  return costIn(replayCounterexample(algorithm, { ...saved, steps }).cost, measure) > cost;
}

/** Whether a run that has not ended can go on without end needs a search. */
function violatesAgain(algorithm: AnyAlgorithm, saved: Counterexample, replayed: Replay): boolean {
  const { crashes, losses, property, recoveries } = saved;
  if (replayed.violation !== null || replayed.ended || property !== 'termination') {
    return replayed.violation?.property === property;
  }
  const { violations } = check(algorithm, {
    ...settingsOf(saved),
    crashes,
    recoveries,
    losses,
    invariants: 'none',
  });
  return violations.some((violation) => violation.property === property && violation.text === saved.text);
}

/**
 * One numbered line per step. What happened before the first step has no number. With `states`, the states of all nodes before
 * the first step, and the new state of a node after each step of it.
 */
export function narrateReplay(replayed: Replay, { states = false } = {}): string[] {
  const { events, setup, steps: texts } = replayed;
  const ids = setup.anonymous ? null : setup.ids;
  const [before, ...steps] = events;
  const width = String(steps.length).length;
  const nodesThat = (kind: 'start' | 'crash'): number[] =>
    before.filter((event) => event.type === kind).map(({ node }) => node);
  const [starters, dead] = [nodesThat('start'), nodesThat('crash')];
  const opening = [
    ...dead.map((node) => `  node ${node} has crashed`),
    ...(starters.length === 0
      ? []
      : [
          `  ${starters.length === 1 ? `node ${starters[0]} has` : `nodes ${starters.join(', ')} have`} started`,
        ]),
  ];
  const stateLines = replayed.trace.map((step) => {
    // The last of several handlers in a round.
    const last = new Map(
      step.flatMap((event) => (event.type === 'state' && states ? [[event.node, event.state]] : [])),
    );
    return [...last].map(([node, state]) => `  ${' '.repeat(width)}  node ${node}: ${formatFields(state)}`);
  });
  return [
    ...opening,
    ...stateLines[0],
    ...steps.flatMap((step, k) => [
      `  ${String(k + 1).padStart(width)}. ${narrateStep(parseStep(texts[k]), step, ids)}`,
      ...stateLines[k + 1],
    ]),
  ];
}
