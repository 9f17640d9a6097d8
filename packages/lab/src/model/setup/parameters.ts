/** The parameters of a setup by their names in links, which are those of the command line, and the checks of their values. */

import { OptionSyntaxError, parseChoice, parseNumber } from '@hustings/base';
import { DEFAULT_SEED } from '@hustings/study/driver';
import {
  parseCrashes,
  parseFaults,
  parseIds,
  parseInitiators,
  parseOrder,
  parsePartition,
  parseSettings,
} from '@hustings/study/internal/simulator/plan/option-syntax';
import { resolvePlan } from '@hustings/study/internal/simulator/plan/resolve-plan';
import { AssumptionError, InputError } from '@hustings/study/kernel';
import { ASSUMPTIONS } from '@hustings/study/simulator';
import { algorithmOf, type LabSetup, MAX_LAB_NODES, optionsOf } from './lab-setup.ts';

/** A setup without its algorithm, or some options of it. */
export type SetupOptionsOfLab = Omit<LabSetup, 'algorithm'>;

type Reader = (texts: readonly string[]) => SetupOptionsOfLab;

export const SCHEDULES = ['lockstep', 'random', 'random:nofifo'] as const;

const NODES_RANGE = 'a whole number from 1 to 1,000,000';

const last = (texts: readonly string[]): string => texts[texts.length - 1];

/** A parameter that occurs more than once has its last value, unless it is repeatable. */
const READERS: Readonly<Record<string, Reader>> = {
  ids: (texts) => ({ ids: parseIds(last(texts)) }),
  nodes: (texts) => ({ nodes: parseNodes(last(texts)) }),
  order: (texts) => ({ order: parseOrder(last(texts)) }),
  initiators: (texts) => ({ initiators: parseInitiators(last(texts)) }),
  topology: (texts) => ({ topology: parseNetwork(last(texts)) }),
  schedule: (texts) => ({ schedule: parseChoice('schedule', SCHEDULES, last(texts)) }),
  seed: (texts) => ({ seed: parseNumber('seed', last(texts), 'a whole number, as in 1') }),
  crash: (texts) => ({ crash: parseCrashes(texts) }),
  recover: (texts) => ({ recover: parseFaults('recover', texts) }),
  loss: (texts) => ({ loss: parseNumber('loss', last(texts), 'a probability, as in 0.1') }),
  'loss-until': (texts) => ({ lossUntil: parseNumber('loss-until', last(texts), 'a time, as in 40') }),
  duplicate: (texts) => ({ duplicate: parseNumber('duplicate', last(texts), 'a probability, as in 0.1') }),
  partition: (texts) => ({ partition: texts.map(parsePartition) }),
  set: (texts) => ({ set: parseSettings(texts) }),
  despite: (texts) => ({ despite: texts.flatMap((text) => text.split(',')) }),
  until: (texts) => ({ until: parseNumber('until', last(texts), 'a time, as in 50') }),
};

/** The names of all parameters but `algorithm`, in the order in which they are checked. */
export const SETUP_PARAMETERS: readonly string[] = Object.keys(READERS);

/** Reads one parameter. Throws an InputError if its text cannot be read. */
export function readParameter(parameter: string, texts: readonly string[]): SetupOptionsOfLab {
  return READERS[parameter](texts);
}

function parseNodes(text: string): number {
  const nodes = parseNumber('nodes', text, NODES_RANGE);
  if (Number.isInteger(nodes) && nodes >= 1 && nodes <= MAX_LAB_NODES) return nodes;
  throw new OptionSyntaxError('nodes', `be ${NODES_RANGE}, not ${text}`);
}

function parseNetwork(text: string): string {
  if (!text.startsWith('edges:')) return text;
  throw new OptionSyntaxError('topology', 'be a network without a file, which the lab cannot read');
}

/** Without options that have their default. The number of nodes stays: pages have different defaults. */
export function withoutDefaults(setup: LabSetup): LabSetup {
  const isDefault: Readonly<Record<string, (value: unknown) => boolean>> = {
    order: (value) => value === 'random',
    initiators: (value) => value === 'all',
    schedule: (value) => value === 'lockstep',
    seed: (value) => value === DEFAULT_SEED,
    loss: (value) => value === 0,
    duplicate: (value) => value === 0,
  };
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(
    Object.entries(setup).filter(([name, value]) => !isEmpty(value) && !isDefault[name]?.(value)),
  ) as unknown as LabSetup;
}

/**
 * The reason why a setup cannot be resolved, or null. A violated assumption is no such reason: see incompatibility.ts.
 */
export function problemOf(setup: LabSetup): string | null {
  const { ids } = setup;
  if (typeof ids === 'object' && ids.length > MAX_LAB_NODES) return 'ids must be at most 1,000,000';
  const unknown = setup.despite?.find((name) => !(ASSUMPTIONS as readonly string[]).includes(name));
  if (unknown !== undefined) return `despite must be one of ${ASSUMPTIONS.join(', ')}, not '${unknown}'`;
  try {
    const plan = resolvePlan(algorithmOf(setup), { ...optionsOf(setup), despite: ASSUMPTIONS });
    return plan.nodes > MAX_LAB_NODES ? 'the network must have at most 1,000,000 nodes' : null;
  } catch (error) {
    return error instanceof AssumptionError ? null : messageOf(error);
  }
}

/** The message of bad input. Anything else is a defect. */
export function messageOf(error: unknown): string {
  if (error instanceof InputError) return error.message;
  throw error;
}
