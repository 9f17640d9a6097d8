/** From the words of `hustings check` to the options of check(). */
import { type CheckOptions, COST_MEASURES } from '../../checker/index.ts';
import { InputError } from '../../kernel/index.ts';
import {
  parseBounds,
  parseChoice,
  parseIds,
  parseInitiatorSets,
  parseNumber,
  parseOrder,
  parseSettings,
} from './option-syntax.ts';
import { readEdges } from './simulate-flags.ts';

/** The longest chain of a run has a most; a least, over all runs, is not asked for. */
const SUMS = ['messages', 'election', 'bits'] as const;

/** What commander hands over. */
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

/** Reads the file that --topology may name. */
export function readCheckOptions(flags: CheckFlags): CheckOptions {
  const given = <W, V>(word: W | undefined, read: (word: W) => V): V | undefined =>
    word === undefined ? undefined : read(word);
  const count = (option: 'crashes' | 'recoveries' | 'losses' | 'delay'): number | undefined =>
    given(flags[option], (text) => parseNumber(option, text, 'a number, as in 1'));
  return {
    nodes: given(flags.nodes, (text) => parseNumber('nodes', text, 'a number, as in 4')),
    ids: given(flags.ids, parseIds),
    order: given(flags.order, parseOrder),
    topology: flags.topology,
    edgeText: given(flags.topology, readEdges),
    orders: given(flags.orders, (text) => parseChoice('orders', ['one', 'all'], text)),
    initiators: given(flags.initiators, parseInitiatorSets),
    starts: given(flags.starts, (text) => parseChoice('starts', ['free', 'first', 'together'], text)),
    crashes: count('crashes'),
    recoveries: count('recoveries'),
    losses: count('losses'),
    delay: count('delay'),
    suspect: flags.suspect,
    despite: given(flags.despite, (text) => [parseChoice('despite', ['timing'], text)]),
    bound: given(flags.bound, parseBounds),
    reduce: given(flags.reduce, (text) => parseChoice('reduce', ['auto', 'none'], text)),
    worst: given(flags.worst, (text) => parseChoice('worst', COST_MEASURES, text)),
    best: given(flags.best, (text) => parseChoice('best', SUMS, text)),
    fingerprints: flags.fingerprints,
    set: given(flags.set, parseSettings),
    fifo: flags.nofifo ? false : undefined,
    stateLimit: given(flags.states, parseLimit),
    memoryLimit: given(flags.memory, parseMemory),
  };
}

/** '512MB', '2GB'. */
function parseMemory(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(MB|GB)$/i.exec(text) ?? [];
  if (amount === undefined)
    throw new InputError(`--memory expects an amount such as 512MB or 2GB, got '${text}'`);
  const bytes = Math.floor(Number(amount) * (unit.toUpperCase() === 'MB' ? 1e6 : 1e9));
  if (bytes >= 1) return bytes;
  throw new InputError(`--memory expects more than nothing, got '${text}'`);
}

function parseLimit(text: string): number {
  const limit = parseNumber('states', text, 'a number of states, as in 1e6');
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new InputError(`--states expects a whole number of states from 1 on, got '${text}'`);
}
