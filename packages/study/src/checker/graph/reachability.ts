/** Whether a violation is reachable from a configuration by some schedule without further faults. */
import type { Configuration } from '../../kernel/world/configuration.ts';
import { isFaultStep, type Step } from '../../kernel/world/step.ts';
import type { World } from '../../kernel/world/world.ts';
import { findTwoLeaders, judge } from '../../properties/validity.ts';
import { configurationKey } from './configuration-key.ts';

/**
 * safe: every continuation was explored, and none violates uniqueness, agreement or the election of a leader at its end.
 * unknown: none was found among the first states. Runs that never end are not judged.
 */
export type Reachability =
  | { readonly type: 'safe'; readonly states: number }
  | { readonly type: 'violation'; readonly text: string; readonly steps: readonly Step[] }
  | { readonly type: 'unknown'; readonly states: number };

interface Reached {
  readonly configuration: Configuration;
  readonly before: Reached | null;
  readonly step: Step | null;
}

/** Explores breadth-first from where the world is, so the steps to a violation are few. Leaves the world as it was. */
export function reachabilityFrom(world: World, most: number): Reachability {
  const start = world.save();
  try {
    return explore(world, { configuration: start, before: null, step: null }, most);
  } finally {
    world.load(start);
  }
}

function explore(world: World, start: Reached, most: number): Reachability {
  const seen = new Set([configurationKey(world, start.configuration)]);
  const queue: Reached[] = [start];
  for (let at = 0; at < queue.length; at++) {
    const reached = queue[at];
    world.load(reached.configuration);
    const steps = world.enabled().filter((step) => !isFaultStep(step));
    const text = violationAt(world, steps.length === 0);
    if (text !== null) return { type: 'violation', text, steps: stepsTo(reached) };
    for (const step of steps) {
      world.load(reached.configuration);
      let failed: Reachability | null = null;
      world.branch(step, (outcome) => {
        const next = { configuration: world.save(), before: reached, step: outcome.step };
        const broken = outcome.breach?.text ?? (outcome.failure && String(outcome.failure.error));
        if (broken) failed ??= { type: 'violation', text: broken, steps: stepsTo(next) };
        const key = configurationKey(world, next.configuration);
        if (seen.has(key)) return;
        seen.add(key);
        queue.push(next);
      });
      if (failed !== null) return failed;
      if (seen.size > most) return { type: 'unknown', states: seen.size };
    }
  }
  return { type: 'safe', states: seen.size };
}

function violationAt({ configuration, machine, setup }: World, isOver: boolean): string | null {
  const two = findTwoLeaders(configuration.nodes.length, (at) => configuration.nodes[at].led);
  if (two !== null || !isOver) return two?.text ?? null;
  const ids = setup.anonymous ? null : setup.ids;
  return judge(machine.decisions, machine.status, setup.nodes, ids).fault?.text ?? null;
}

function stepsTo(end: Reached): Step[] {
  const steps: Step[] = [];
  for (let at: Reached | null = end; at !== null; at = at.before)
    if (at.step !== null) steps.unshift(at.step);
  return steps;
}
