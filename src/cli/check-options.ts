/** From the words of `hustings check` to the options of check(). */
import type { CheckOptions } from '../checker/index.ts';
import { InputError } from '../kernel/index.ts';
import { parseChoice, parseIds, parseInitiatorSets, parseNumber, parseSettings } from './option-syntax.ts';
import { readEdges } from './simulate-options.ts';

/** What commander hands over. */
export interface CheckWords {
  readonly nodes?: string;
  readonly ids?: string;
  readonly topology?: string;
  readonly orders?: string;
  readonly initiators?: string;
  readonly starts?: string;
  readonly crashes?: string;
  readonly recoveries?: string;
  readonly losses?: string;
  readonly delay?: string;
  readonly suspect?: true;
  readonly set?: readonly string[];
  readonly nofifo?: true;
  readonly states?: string;
  readonly json?: true;
  readonly svg?: string;
  readonly save?: string;
}

/** Reads the file that --topology may name. */
export function readCheckOptions(words: CheckWords): CheckOptions {
  const given = <W, V>(word: W | undefined, read: (word: W) => V): V | undefined =>
    word === undefined ? undefined : read(word);
  const count = (option: 'crashes' | 'recoveries' | 'losses' | 'delay'): number | undefined =>
    given(words[option], (text) => parseNumber(option, text, 'a number, as in 1'));
  return {
    nodes: given(words.nodes, (text) => parseNumber('nodes', text, 'a number, as in 4')),
    ids: given(words.ids, parseIds),
    topology: words.topology,
    edgeText: given(words.topology, readEdges),
    orders: given(words.orders, (text) => parseChoice('orders', ['one', 'all'], text)),
    initiators: given(words.initiators, parseInitiatorSets),
    starts: given(words.starts, (text) => parseChoice('starts', ['free', 'first', 'together'], text)),
    crashes: count('crashes'),
    recoveries: count('recoveries'),
    losses: count('losses'),
    delay: count('delay'),
    suspect: words.suspect,
    set: given(words.set, parseSettings),
    fifo: words.nofifo ? false : undefined,
    stateLimit: given(words.states, parseLimit),
  };
}

function parseLimit(text: string): number {
  const limit = parseNumber('states', text, 'a number of states, as in 1e6');
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new InputError(`--states expects a whole number of states from 1 on, got '${text}'`);
}
