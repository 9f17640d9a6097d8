/**
 * Steps that a crash swallowed: their durable fields reached the disk, but the process was stopped before it recorded them
 * and sent their messages. They are found by search: some steps of the member that lead to the fields that it recovered.
 */

import { type InFlightMessage, isMessageStep, type Step, type World } from '@hustings/study/driver';
import { isList } from '@hustings/study/internal/kernel/field';
import { readDurable, writeDurable } from './durable-fields.ts';
import { type BeginLine, sortedJson } from './parse-trace.ts';
import { IllegalStep } from './step-outcome.ts';

/** A busy disk saves what several steps have changed at once, and the lines of all of them are written after that. */
const MAX_STEPS = 6;
const MAX_TRIES = 50_000;

/** The steps of a node after which `isGoal` holds; null if none are found. `mayArrive` says which messages may be delivered. */
function findUnrecorded(
  world: World,
  at: number,
  isGoal: () => boolean,
  mayArrive: (message: InFlightMessage) => boolean,
): Step[] | null {
  let tries = 0;
  const stepsOf = (): Step[] =>
    world.enabled(false).filter((step) => {
      if (!isMessageStep(step)) return 'node' in step && step.node === at;
      const message = step.to === at ? world.rules.messageOf(world.configuration, step) : undefined;
      return step.type === 'deliver' && message !== undefined && mayArrive(message);
    });
  const search = (left: number): Step[] | null => {
    for (const step of stepsOf()) {
      let found: Step[] | null = null;
      world.branch(step, (outcome) => {
        if (found !== null || outcome.failure !== null || ++tries > MAX_TRIES) return;
        const rest = isGoal() ? [] : left > 1 ? search(left - 1) : null;
        if (rest !== null) found = [outcome.step, ...rest];
      });
      if (found !== null) return found;
    }
    return null;
  };
  for (let depth = 1; depth <= MAX_STEPS; depth++) {
    const found = search(depth);
    if (found !== null) return found;
  }
  return null;
}

/** Takes the fields of a member that began the later term of the stamp of its list, and did nothing in it; false if it did not. */
function takeRaise(world: World, at: number, { durable, list }: BeginLine): boolean {
  const { machine } = world;
  const { fields, names, width } = machine.layout;
  const { termField = '' } = machine.algorithm;
  const stamp = list?.stamp ?? 0;
  if (durable?.[termField] !== stamp || Number(readDurable(machine, at)[termField]) >= stamp) return false;
  const before = machine.save(at);
  writeDurable(machine, at, durable);
  const isNew = fields.every((field, index) => {
    if (!field.durable || names[index] === termField) return true;
    const value = durable[names[index]];
    return isList(field)
      ? Array.isArray(value) && value.length === 0
      : machine.words[at * width + index] === field.initial;
  });
  if (!isNew) machine.load(at, before);
  else {
    const record = machine.save(at);
    const { nodes } = world.configuration;
    world.load({ ...world.configuration, nodes: nodes.with(at, { ...nodes[at], record }) });
  }
  return isNew;
}

/**
 * The fields on disk are those of the last recorded step, of a raise, or of steps that the crash swallowed: takes these, and
 * returns how many they were. Throws if there are none. `isLost` is true for messages whose delivery is not recorded.
 */
export function takeUnrecorded(
  world: World,
  at: number,
  next: BeginLine,
  isLost: (message: InFlightMessage) => boolean,
): number {
  const { durable, id } = next;
  const saved = sortedJson(durable ?? {});
  const recorded = sortedJson(readDurable(world.machine, at));
  if (recorded === saved || takeRaise(world, at, next)) return 0;
  const isGoal = (): boolean => sortedJson(readDurable(world.machine, at)) === saved;
  const steps = findUnrecorded(world, at, isGoal, isLost);
  if (steps === null)
    throw new IllegalStep(`member ${id} recovered ${saved}, but its recorded steps have saved ${recorded}`);
  for (const step of steps) {
    const before = world.configuration;
    world.apply(step);
    // Its messages have not left.
    const { messages, undelivered } = world.configuration;
    world.load({
      ...world.configuration,
      messages: messages.filter((one) => before.messages.includes(one)),
      undelivered: undelivered.filter((one) => before.undelivered.includes(one)),
    });
  }
  return steps.length;
}
