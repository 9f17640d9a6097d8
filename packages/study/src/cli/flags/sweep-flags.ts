/** Translates the flags of `hustings sweep` into the options of sweep(). */

import { mapDefined, parseChoice, parseNumber } from '@hustings/base';
import { type FlagsOf, repeatable } from '@hustings/base/command/option-table';
import { MAX_NODES, type Order } from '../../kernel/driver.ts';
import { InputError } from '../../kernel/index.ts';
import {
  parseCrashes,
  parseInitiators,
  parseOrder,
  parseSettingLists,
} from '../../simulator/plan/option-syntax.ts';
import { GROWTH_FORMS, SWEEP_MEASURES, type SweepOptions, type SweepSchedule } from '../../sweep/index.ts';
import { PICTURE_OPTIONS } from './picture-flags.ts';
import { QUEUE_HELP } from './queue-flag.ts';
import { DESPITE_HELP, parseSteps, readEdges, STEPS_HELP, TOPOLOGY_HELP } from './simulate-flags.ts';

const SIZES_HELP =
  'a list of sizes and ranges: 8,16,32; 16..4096 (doubling); 10..100+10 (adding); 1..1000x10 (multiplying)';

const RANGE = /^(\d+)\.\.(\d+)(?:([+x])(\d+))?$/;
const MAX_SIZES = 10_000;

/** Ascending, without duplicates. The end of a range is included only if the steps reach it. */
export function parseSizes(text: string): number[] {
  const sizes = new Set<number>();
  for (const item of text.split(',')) {
    for (const size of sizesOf(item, text)) {
      sizes.add(size);
      if (sizes.size > MAX_SIZES) {
        throw new InputError(`--nodes must be at most ${MAX_SIZES} sizes, not those of '${text}'`);
      }
    }
  }
  return [...sizes].sort((one, other) => one - other);
}

function* sizesOf(item: string, text: string): Generator<number> {
  const refuse = (): never => {
    throw new InputError(`--nodes must be ${SIZES_HELP}, not '${text}'`);
  };
  if (/^\d+$/.test(item)) return yield Number(item);
  const [, first, last, sign = 'x', step = '2'] = RANGE.exec(item) ?? refuse();
  const [from, to, by] = [Number(first), Number(last), Number(step)];
  if (to < from || to > MAX_NODES || from < 1 || by < (sign === 'x' ? 2 : 1)) refuse();
  for (let size = from; size <= to; size = sign === 'x' ? size * by : size + by) yield size;
}

export const SWEEP_OPTIONS = {
  '--nodes <SIZES>': `${SIZES_HELP} (default: 16..1024)`,
  '--runs <K>': 'number of runs per size (default: 200)',
  '--order <LIST>': 'orders of the ids around the network: ascending, descending, random (default: random)',
  '--schedule <LIST>': 'schedules: lockstep, random, random:nofifo (default: lockstep)',
  '--measure <WHAT>':
    `measure: ${SWEEP_MEASURES.join(', ')} (default: messages), or a measure that the algorithms declare; agreedAt is the time ` +
    'of the last decision, causal the longest chain of messages, errorRate the share of failed elections',
  '--fit <GROWTH>': repeatable(
    `growth whose constant is fitted to each series, with its confidence: ${GROWTH_FORMS}`,
  ),
  '--initiators <WHICH>':
    'nodes that start by themselves: all, random:3, or positions such as 0,2 (default: all)',
  '--topology <NETWORK>': TOPOLOGY_HELP,
  '--crash <P@T>': repeatable("crashes by position and time, as in 3@0, or 'none'"),
  '--set <NAME=VALUES>': repeatable(
    'parameter, for the algorithms that have it; several values, as in c=2,3, give a series each',
  ),
  '--despite <ASSUMPTION>': repeatable(DESPITE_HELP),
  '--steps <LIMIT>': STEPS_HELP,
  '--seed <S>': 'seed of the PRNG (default: 1)',
  '--cores <K>': { help: 'number of threads (default: all cores)', conflicts: ['queue'] },
  '--queue [URL]': `compute on the workers of a queue, see 'hustings worker --help'; ${QUEUE_HELP}`,
  '--svg <FILE>':
    'write a plot with means, confidence intervals and the laws as curves: .svg, or .png or .pdf through an installed Chromium',
  '--per-node': 'divide all figures of the plot by n',
  ...PICTURE_OPTIONS,
  '--csv <FILE>': 'write one line per series and size, as comma-separated values',
  '--save <FILE>': 'write the JSON document to a file, and update it every second',
  '--json': 'print the result of sweep() as one JSON document',
} as const;

export type SweepFlags = FlagsOf<typeof SWEEP_OPTIONS>;

const SCHEDULES = ['lockstep', 'random', 'random:nofifo'] as const;

/** Plain data, because every thread gets a copy. */
export function readSweepOptions(flags: SweepFlags): SweepOptions {
  const list =
    <V>(read: (word: string) => V) =>
    (text: string) =>
      text.split(',').map(read);
  return {
    nodes: mapDefined(flags.nodes, parseSizes),
    runs: mapDefined(flags.runs, (text) => parseNumber('runs', text, 'a number, as in 200')),
    order: mapDefined(flags.order, list<Order>(parseOrder)),
    schedule: mapDefined(
      flags.schedule,
      list<SweepSchedule>((word) => parseChoice('schedule', SCHEDULES, word)),
    ),
    measure: flags.measure,
    fit: flags.fit,
    initiators: mapDefined(flags.initiators, parseInitiators),
    topology: flags.topology,
    edgeText: mapDefined(flags.topology, readEdges),
    crash: mapDefined(flags.crash, parseCrashes),
    set: mapDefined(flags.set, parseSettingLists),
    despite: mapDefined(flags.despite, (texts) => texts.flatMap((text) => text.split(','))),
    seed: mapDefined(flags.seed, (text) => parseNumber('seed', text, 'a whole number, as in 1')),
    stepLimit: mapDefined(flags.steps, parseSteps),
  };
}
