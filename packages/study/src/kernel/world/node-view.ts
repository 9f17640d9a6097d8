/** The nodes of a world in readable form, for pages and drawings. */
import type { Decision } from '../decisions.ts';
import { NONE } from '../field.ts';
import { AWAKE, DEAD } from '../machine/status.ts';
import type { World } from './world.ts';

/** A node in readable form. */
export interface NodeView {
  readonly position: number;
  /** Null in an anonymous network, and at auxiliary processes. */
  readonly id: number | null;
  readonly status: 'asleep' | 'awake' | 'dead';
  readonly decision: Decision | null;
  /** The fields by name. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The running timers by name, with the units until they are due. */
  readonly timers: Readonly<Record<string, number>>;
}

/** All nodes of a world in readable form. */
export function nodeViews({ configuration, machine, rules, setup }: World): NodeView[] {
  return configuration.nodes.map(({ record: [status], timers }, position) => ({
    position,
    id: setup.anonymous ? null : (setup.ids[position] ?? null),
    status: (status & DEAD) !== 0 ? 'dead' : (status & AWAKE) !== 0 ? 'awake' : 'asleep',
    decision: machine.decisions.read(position),
    state: machine.fieldsOf(position),
    timers: Object.fromEntries(
      rules.timers.map((name, k) => [name, timers[k]] as const).filter(([, left]) => left !== NONE),
    ),
  }));
}
