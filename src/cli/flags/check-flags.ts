/** Translates the flags of `hustings check` into the options of check(). */
import { type CheckOptions, COST_MEASURES } from '../../checker/index.ts';
import {
  optional,
  parseBounds,
  parseChoice,
  parseIds,
  parseInitiatorSets,
  parseInvariants,
  parseNumber,
  parseOrder,
  parseSettings,
  refuse,
} from './option-syntax.ts';
import { readEdges } from './simulate-flags.ts';

/** Time, the longest chain of messages, has a worst case but no best case. */
const SUMS = ['messages', 'election', 'bits'] as const;

/** The flags as commander parses them. */
export interface CheckFlags {
  readonly nodes?: string;
  readonly ids?: string;
  readonly topology?: string;
  readonly order?: string;
  readonly orders?: string;
  readonly initiators?: string;
  readonly starts?: string;
  readonly crashes?: string;
  readonly recoveries?: string;
  readonly losses?: string;
  readonly delay?: string;
  readonly suspect?: true;
  readonly despite?: string;
  readonly bound?: readonly string[];
  readonly reduce?: string;
  readonly invariants?: string;
  readonly worst?: string;
  readonly best?: string;
  readonly probabilities?: true;
  readonly fingerprints?: true;
  readonly set?: readonly string[];
  readonly nofifo?: true;
  readonly states?: string;
  readonly memory?: string;
  readonly json?: true;
  readonly svg?: string;
  readonly save?: string;
}

/** Also reads the file of --topology edges:FILE. */
export function readCheckOptions(flags: CheckFlags): CheckOptions {
  const count = (option: 'crashes' | 'recoveries' | 'losses' | 'delay'): number | undefined =>
    optional(flags[option], (text) => parseNumber(option, text, 'a number, as in 1'));
  return {
    nodes: optional(flags.nodes, (text) => parseNumber('nodes', text, 'a number, as in 4')),
    ids: optional(flags.ids, parseIds),
    order: optional(flags.order, parseOrder),
    topology: flags.topology,
    edgeText: optional(flags.topology, readEdges),
    orders: optional(flags.orders, (text) => parseChoice('orders', ['one', 'all'], text)),
    initiators: optional(flags.initiators, parseInitiatorSets),
    starts: optional(flags.starts, (text) => parseChoice('starts', ['free', 'first', 'together'], text)),
    crashes: count('crashes'),
    recoveries: count('recoveries'),
    losses: count('losses'),
    delay: count('delay'),
    suspect: flags.suspect,
    despite: optional(flags.despite, (text) => [parseChoice('despite', ['timing'], text)]),
    bound: optional(flags.bound, parseBounds),
    reduce: optional(flags.reduce, (text) => parseChoice('reduce', ['auto', 'none'], text)),
    invariants: optional(flags.invariants, parseInvariants),
    worst: optional(flags.worst, (text) => parseChoice('worst', COST_MEASURES, text)),
    best: optional(flags.best, (text) => parseChoice('best', SUMS, text)),
    fingerprints: flags.fingerprints,
    set: optional(flags.set, parseSettings),
    fifo: flags.nofifo ? false : undefined,
    stateLimit: optional(flags.states, parseLimit),
    memoryLimit: optional(flags.memory, parseMemory),
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
