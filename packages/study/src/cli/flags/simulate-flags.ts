/** Translates the flags of `hustings simulate` into the options of simulate(). */

import { mapDefined, parseNumber, refuse } from '@hustings/base';
import { type FlagsOf, repeatable } from '@hustings/base/command/option-table';
import { readInput } from '@hustings/base/command/user-files';
import { parseTopologyName } from '../../kernel/driver.ts';
import { TOPOLOGY_FORMS } from '../../kernel/index.ts';
import {
  ASSUMPTIONS,
  fileSchedule,
  type ScheduleOption,
  type SimulateOptions,
} from '../../simulator/index.ts';
import {
  parseCrashes,
  parseFaults,
  parseIds,
  parseInitiators,
  parseInvariants,
  parseOrder,
  parsePartition,
  parseSettings,
} from '../../simulator/plan/option-syntax.ts';
import { PICTURE_OPTIONS } from './picture-flags.ts';

/** The help of options that several commands have. */
export const ORDER_HELP =
  'order of the ids around the network: ascending, descending or random (default: random)';
export const TOPOLOGY_HELP = `network: ${TOPOLOGY_FORMS.join(', ')} (default: by the algorithm)`;
export const STEPS_HELP =
  'number of events after which a run that has not ended is stopped (default: far more than an election takes)';
export const DESPITE_HELP = `run although this assumption is violated: ${ASSUMPTIONS.join(', ')}`;

export const SIMULATE_OPTIONS = {
  '--nodes <N>': 'number of nodes (default: the number of ids, the size of the network, or 8)',
  '--ids <LIST>': {
    help: "ids by position, as in 5,3,8,1, or 'anonymous' (default: 1 to N)",
    conflicts: ['order'],
  },
  '--order <ORDER>': ORDER_HELP,
  '--initiators <WHICH>':
    'nodes that start by themselves: all, random:3, or positions with optional times, as in 0,7@7 (default: all)',
  '--topology <NETWORK>': TOPOLOGY_HELP,
  '--schedule <SCHEDULE>':
    'when messages arrive: lockstep (after one unit), random (random delays), random:nofifo, or file:FILE with a line ' +
    "'deliver FROM > TO' for each delivery (default: lockstep)",
  '--seed <S>': 'seed of the PRNG; the same seed gives the same run (default: 1)',
  '--crash <P@T>': repeatable("crashes by position and time, as in 3@0 or 3@0,4@2, or 'none'"),
  '--recover <P@T>': repeatable('recoveries by position and time, as in 3@10'),
  '--loss <PROBABILITY>': 'probability that a message is lost (default: 0)',
  '--loss-until <T>': 'time after which no message is lost (default: no limit)',
  '--duplicate <PROBABILITY>': 'probability that a message is delivered twice (default: 0)',
  '--partition <GROUPS@T..T>': repeatable('partition of the network, as in 0-3/4-7@10..50'),
  '--set <NAME=VALUE>': repeatable('parameter of the algorithm'),
  '--despite <ASSUMPTION>': repeatable(DESPITE_HELP),
  '--until <T>':
    'time at which the run stops (default: when nothing is pending, or the horizon of the algorithm)',
  '--steps <LIMIT>': STEPS_HELP,
  '--invariants <WHICH>':
    'invariants checked after every event: all, node, none, or names (default: all up to 32 nodes, none above)',
  '--trace': 'print every event on a line of its own; with --json, on stderr',
  '--states': 'with --trace: also print the state of a node initially and after each event',
  '--svg <FILE>': 'draw the run as a space-time diagram: .svg, or .png or .pdf through an installed Chromium',
  '--svg-network <FILE>': 'draw the network: its nodes, messages, phases and fragments; formats as for --svg',
  '--svg-animation <FILE>': 'draw the network as an animated SVG that plays the run',
  '--frames <K>':
    "with --svg-network: K moments at equal numbers of steps, or 'decisions' (default: 1, the end of the run)",
  ...PICTURE_OPTIONS,
  '--json': 'print the result of simulate() as one JSON document',
} as const;

export type SimulateFlags = FlagsOf<typeof SIMULATE_OPTIONS>;

/** Also reads the files that the flags name. */
export function readOptions(flags: SimulateFlags): SimulateOptions {
  return {
    nodes: mapDefined(flags.nodes, (text) => parseNumber('nodes', text)),
    ids: mapDefined(flags.ids, parseIds),
    order: mapDefined(flags.order, parseOrder),
    initiators: mapDefined(flags.initiators, parseInitiators),
    topology: flags.topology,
    edgeText: mapDefined(flags.topology, readEdges),
    schedule: mapDefined(flags.schedule, readSchedule),
    seed: mapDefined(flags.seed, (text) => parseNumber('seed', text, 'a whole number, as in 1')),
    crash: mapDefined(flags.crash, parseCrashes),
    recover: mapDefined(flags.recover, (texts) => parseFaults('recover', texts)),
    loss: mapDefined(flags.loss, (text) => parseNumber('loss', text, 'a probability, as in 0.1')),
    lossUntil: mapDefined(flags.lossUntil, (text) => parseNumber('loss-until', text, 'a time, as in 40')),
    duplicate: mapDefined(flags.duplicate, (text) =>
      parseNumber('duplicate', text, 'a probability, as in 0.1'),
    ),
    partition: mapDefined(flags.partition, (texts) => texts.map(parsePartition)),
    set: mapDefined(flags.set, parseSettings),
    despite: mapDefined(flags.despite, (texts) => texts.flatMap((text) => text.split(','))),
    invariants: mapDefined(flags.invariants, parseInvariants),
    until: mapDefined(flags.until, (text) => parseNumber('until', text, 'a time, as in 50')),
    stepLimit: mapDefined(flags.steps, parseSteps),
  };
}

export function parseSteps(text: string): number {
  const steps = parseNumber('steps', text, 'a number of events, as in 1e6');
  return Number.isSafeInteger(steps) && steps >= 1 ? steps : refuse('steps', 'a whole number from 1', text);
}

/** The text of the file of --topology edges:FILE; undefined for other networks. */
export function readEdges(topology: string): string | undefined {
  const spec = parseTopologyName(topology);
  return spec.shape === 'edges' ? readInput('--topology', spec.path) : undefined;
}

const FILE = /^file:(.+)$/s;

/** True if the schedule is a file, whose errors may show only during the run. */
export function isFileSchedule(word: string | undefined): boolean {
  return word !== undefined && FILE.test(word);
}

/** A file names links, not messages, and the oldest message of a link is delivered: its links are FIFO. */
function readSchedule(word: string): ScheduleOption {
  const path = FILE.exec(word)?.[1];
  if (path === undefined) return word as ScheduleOption; // the library checks it
  return { pick: fileSchedule(readInput('--schedule', path), path), name: word, fifo: true };
}
