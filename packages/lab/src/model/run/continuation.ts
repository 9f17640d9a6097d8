/**
 * How a run goes on where nothing is recorded: after a step that the reader chose. Lockstep takes the oldest message first,
 * random delays take any; a link that is cut loses its messages.
 */

import { AWAKE, DEAD, isFaultStep, isMessageStep, type Step, type World } from '@hustings/study/driver';
import { NONE, Random } from '@hustings/study/kernel';
import { linkName } from './branch.ts';

/** True if a step would move a message over a link that is cut. */
export function isOnCutLink(step: Step, cut: ReadonlySet<string>): boolean {
  return isMessageStep(step) && step.type === 'deliver' && cut.has(linkName(step.from, step.to));
}

/** The step that the schedule would take; null if only faults and optional suspicions remain. */
export function continuationOf(world: World, isRandom: boolean, cut: ReadonlySet<string>): Step | null {
  const enabled = world.enabled();
  const dropped = enabled.find(
    (step) => isMessageStep(step) && step.type === 'lose' && cut.has(linkName(step.from, step.to)),
  );
  if (dropped !== undefined) return dropped;
  const all = enabled.filter((step) => !isFaultStep(step) && !isOnCutLink(step, cut));
  const starts = all.filter((step) => step.type === 'start' && isAwaited(world, step.node));
  const moves = all.filter(({ type }) => type === 'deliver' || type === 'notice');
  if (isRandom && starts.length + moves.length > 0) {
    const choices = [...starts, ...moves];
    return choices[drawsOf(world).below(choices.length)];
  }
  const first =
    starts[0] ??
    moves[0] ??
    (world.rules.timing === 'asynchronous' ? anyTimer(world, all) : nextTimer(world, all)) ??
    all.find(({ type }) => type === 'tick' || type === 'round');
  if (first !== undefined) return first;
  // A suspicion is optional, unless no node has started because of the crash.
  return world.rules.isQuiescent(world.configuration) ? null : (all[0] ?? null);
}

function isAwaited({ configuration, rules }: World, node: number): boolean {
  return (configuration.nodes[node].record[0] & (AWAKE | DEAD)) === 0 && rules.initiators.includes(node);
}

/** The draws of the schedule at this configuration. */
function drawsOf({ configuration, setup }: World): Random {
  return new Random(setup.seed, `lab schedule ${configuration.steps}`);
}

interface RunningTimer {
  readonly step: Step;
  readonly left: number;
}

function runningTimers({ configuration, rules }: World, steps: readonly Step[]): RunningTimer[] {
  return steps.flatMap((step) => {
    if (step.type !== 'timer') return [];
    const left = configuration.nodes[step.node].timers[rules.timers.indexOf(step.timer)];
    return left === NONE ? [] : [{ step, left }];
  });
}

/** The timer with the least time left. */
function nextTimer(world: World, steps: readonly Step[]): Step | undefined {
  const timers = runningTimers(world, steps);
  return timers.reduce<RunningTimer | undefined>(
    (best, timer) => (best === undefined || timer.left < best.left ? timer : best),
    undefined,
  )?.step;
}

/**
 * Without bounds on time no timer runs down, and the shortest would fire forever. So any may fire, a timer of half the time
 * twice as often.
 */
function anyTimer(world: World, steps: readonly Step[]): Step | undefined {
  const timers = runningTimers(world, steps);
  const longest = Math.max(1, ...timers.map(({ left }) => left));
  const weights = timers.map(({ left }) => Math.ceil(longest / Math.max(1, left)));
  let drawn =
    timers.length === 0 ? 0 : drawsOf(world).below(weights.reduce((sum, weight) => sum + weight, 0));
  return timers.find((_, k) => {
    drawn -= weights[k];
    return drawn < 0;
  })?.step;
}
