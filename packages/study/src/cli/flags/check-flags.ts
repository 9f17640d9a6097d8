/** Translates the flags of `hustings check` into the options of check(). */

import { mapDefined, parseChoice, parseNumber, refuse } from '@hustings/base';
import { type FlagsOf, repeatable } from '@hustings/base/command/option-table';
import { type CheckOptions, COST_MEASURES, DEFAULT_CHECK_NODES } from '../../checker/index.ts';
import {
  parseBounds,
  parseIds,
  parseInitiatorSets,
  parseInvariants,
  parseOrder,
  parseSettings,
} from '../../simulator/plan/option-syntax.ts';
import { PICTURE_OPTIONS } from './picture-flags.ts';
import { ORDER_HELP, readEdges, TOPOLOGY_HELP } from './simulate-flags.ts';

/** Time, the longest chain of messages, has a worst case but no best case. */
const SUMS = ['messages', 'election', 'bits'] as const;

/** Options that describe schedules, faults or single runs. Probabilities are those of lockstep, without faults. */
const NOT_WITH_PROBABILITIES = [
  ...'preset starts crashes recoveries losses delay despite suspect bound reduce invariants fifo nofifo'.split(
    ' ',
  ),
  ...['worst', 'best', 'fingerprints', 'memory', 'cores', 'svg', 'save', 'checkpoint', 'resume', 'complete'],
  ...['dot', 'svgNode'],
];

export const CHECK_OPTIONS = {
  '--preset <NAME>':
    'a search that the algorithm defines, or none (default: its first one, if no option says what to search)',
  '--nodes <N>': {
    help: `number of nodes (default: ${DEFAULT_CHECK_NODES})`,
    conflicts: ['ids'],
  },
  '--ids <LIST>': 'ids by position, as in 5,3,8,1 (default: 1 to N)',
  '--order <ORDER>': { help: ORDER_HELP, conflicts: ['ids'] },
  '--topology <NETWORK>': TOPOLOGY_HELP,
  '--orders <WHICH>': 'orders of the ids to check: one or all (default: one)',
  '--initiators <WHICH>':
    'nodes that start by themselves: all, subsets (every non-empty set), or positions such as 0,2 (default: all)',
  '--starts <WHEN>':
    'when initiators start: free (at any time), first (before any delivery) or together (default: free, or together ' +
    'for bounded-delay and synchronous algorithms)',
  '--crashes <K>': 'maximum number of crashes, each at any time (default: 0)',
  '--recoveries <K>': 'maximum number of recoveries (default: 0)',
  '--losses <K>': 'maximum number of lost messages (default: 0)',
  '--delay <D>': 'longest delay of a message in a bounded-delay network, in units (default: 1)',
  '--suspect': 'let timers of a bounded-delay network fire early: an unreliable failure detector',
  '--fifo': { help: 'FIFO links, even if the algorithm does not assume them', conflicts: ['nofifo'] },
  '--nofifo': 'let messages overtake one another, even if the algorithm assumes FIFO links',
  '--despite <ASSUMPTION>': 'check although this assumption is violated: timing',
  '--bound <COUNTER=MAX>': repeatable('do not explore states in which this counter of a node exceeds MAX'),
  '--reduce <HOW>':
    'auto (partial-order reduction, and symmetry reduction by rotation on rings) or none (default: auto)',
  '--invariants <WHICH>':
    'invariants to check: all, node, none, or names; invariants of the network turn the reductions off ' +
    '(default: all; node with --worst or --best; none if the search violates an assumption)',
  '--fingerprints': 'store a 64-bit fingerprint per state (hash compaction): less memory, not exact',
  '--cores <K>':
    'number of threads for a large search; the result does not depend on it (default: all cores)',
  '--states <LIMIT>': 'stop after this number of states (default: 20 million)',
  '--memory <LIMIT>': 'stop when the state store exceeds this size, as in 512MB (default: 4GB)',
  '--complete':
    'exit with 1 unless the search is complete, within the bounds if there are any, and elects somebody',
  '--checkpoint <FILE>': {
    help: 'save the search in this file if a limit or Ctrl-C stops it',
    conflicts: ['worst', 'best'],
  },
  '--resume <FILE>': {
    help: 'continue a search that was saved; all options but limits, --cores and files must be those of that search',
    conflicts: ['worst', 'best'],
  },
  '--worst <COST>':
    'also find a most expensive run: messages, election, bits, or time (the longest chain of messages)',
  '--best <COST>': 'also find a least expensive run: messages, election or bits',
  '--probabilities': {
    help: 'compute the exact probabilities and expectations of a randomized election instead of searching',
    conflicts: NOT_WITH_PROBABILITIES,
  },
  '--set <NAME=VALUE>': repeatable('parameter of the algorithm'),
  '--save <FILE>': "save the counterexample, or the most expensive run, for 'hustings replay'",
  '--svg <FILE>':
    'draw the counterexample, or the most expensive run, as a space-time diagram: .svg, .png or .pdf',
  '--dot <FILE>':
    'write the state graph of one instance, without reductions, in the DOT language of Graphviz',
  '--svg-node <FILE>': 'draw the state machine of a node, as the state graph shows it: .svg, .png or .pdf',
  '--svg-chain <FILE>': 'with --probabilities: draw the rounds as a Markov chain: .svg, .png or .pdf',
  ...PICTURE_OPTIONS,
  '--json': 'print the result of check() as one JSON document',
} as const;

export type CheckFlags = FlagsOf<typeof CHECK_OPTIONS>;

/** Also reads the file of --topology edges:FILE. */
export function readCheckOptions(flags: CheckFlags): CheckOptions {
  const count = (option: 'crashes' | 'recoveries' | 'losses' | 'delay'): number | undefined =>
    mapDefined(flags[option], (text) => parseNumber(option, text, 'a number, as in 1'));
  return {
    preset: flags.preset,
    nodes: mapDefined(flags.nodes, (text) => parseNumber('nodes', text, 'a number, as in 4')),
    ids: mapDefined(flags.ids, parseIds),
    order: mapDefined(flags.order, parseOrder),
    topology: flags.topology,
    edgeText: mapDefined(flags.topology, readEdges),
    orders: mapDefined(flags.orders, (text) => parseChoice('orders', ['one', 'all'], text)),
    initiators: mapDefined(flags.initiators, parseInitiatorSets),
    starts: mapDefined(flags.starts, (text) => parseChoice('starts', ['free', 'first', 'together'], text)),
    crashes: count('crashes'),
    recoveries: count('recoveries'),
    losses: count('losses'),
    delay: count('delay'),
    suspect: flags.suspect,
    despite: mapDefined(flags.despite, (text) => [parseChoice('despite', ['timing'], text)]),
    bound: mapDefined(flags.bound, parseBounds),
    reduce: mapDefined(flags.reduce, (text) => parseChoice('reduce', ['auto', 'none'], text)),
    invariants: mapDefined(flags.invariants, parseInvariants),
    worst: mapDefined(flags.worst, (text) => parseChoice('worst', COST_MEASURES, text)),
    best: mapDefined(flags.best, (text) => parseChoice('best', SUMS, text)),
    fingerprints: flags.fingerprints,
    set: mapDefined(flags.set, parseSettings),
    fifo: flags.fifo ?? (flags.nofifo ? false : undefined),
    stateLimit: mapDefined(flags.states, parseLimit),
    memoryLimit: mapDefined(flags.memory, parseMemory),
  };
}

/** '512MB', '2GB'. */
function parseMemory(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(MB|GB)$/i.exec(text) ?? [];
  if (amount === undefined) return refuse('memory', 'an amount such as 512MB or 2GB', text);
  const bytes = Math.floor(Number(amount) * (unit.toUpperCase() === 'MB' ? 1e6 : 1e9));
  return bytes >= 1 ? bytes : refuse('memory', 'at least one byte', text);
}

function parseLimit(text: string): number {
  const limit = parseNumber('states', text, 'a whole number of states, as in 1e6');
  return Number.isInteger(limit) && limit >= 1 ? limit : refuse('states', 'a whole number from 1', text);
}
