/**
 * The options of a run as text, on the command line and in the links of the lab. Whether a position exists or a probability is
 * valid is checked when the options are resolved. option-text.ts writes this syntax.
 */
import { isNumberText, OptionSyntaxError, refuse } from '@hustings/base';
import type { InvariantChoice } from '../../kernel/invariant.ts';
import type { Setting } from '../../kernel/params.ts';
import type { Order } from '../../kernel/setup.ts';
import type { NodeFault, Partition } from '../faults/faults.ts';
import type { Initiators } from './options.ts';

/** The library accepts no longer list. Without this limit a short range could fill the memory. */
const MAX_POSITIONS = 1 << 25;

export function parseOrder(text: string): Order {
  if (text === 'ascending' || text === 'descending' || text === 'random') return text;
  return refuse('order', 'ascending, descending or random', text);
}

/** An empty text is an empty list; an empty item is an error. */
function items(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

export function parseIds(text: string): number[] | 'anonymous' {
  if (text === 'anonymous') return text;
  return items(text).map((item) =>
    isNumberText(item)
      ? Number(item)
      : refuse('ids', "ids separated by commas, as in 5,3,8,1, or 'anonymous'", text),
  );
}

export function parseInitiators(text: string): Initiators {
  const expected = 'all, random:3, or positions with an optional time, as in 0,2 or 0,7@7';
  if (text === 'all') return text;
  const drawn = /^random:(.*)$/.exec(text);
  if (drawn !== null) {
    return { random: isNumberText(drawn[1]) ? Number(drawn[1]) : refuse('initiators', expected, text) };
  }
  return items(text).map((item) => {
    const [position, time, ...rest] = item.split('@');
    const good = isNumberText(position) && (time === undefined || isNumberText(time)) && rest.length === 0;
    if (!good) refuse('initiators', expected, text);
    return time === undefined ? Number(position) : { position: Number(position), time: Number(time) };
  });
}

/** For a search, in which starts have no times. */
export function parseInitiatorSets(text: string): 'all' | 'subsets' | number[] {
  if (text === 'all' || text === 'subsets') return text;
  const positions = text.split(',');
  const good =
    positions.every((item) => isNumberText(item)) && new Set(positions.map(Number)).size === positions.length;
  if (!good) refuse('initiators', 'all, subsets, or different positions, as in 0,2', text);
  return positions.map(Number);
}

/** Each text may list several faults, separated by commas. */
export function parseFaults(option: 'crash' | 'recover', texts: readonly string[]): NodeFault[] {
  return texts.flatMap((text) =>
    text.split(',').map((item) => {
      const [position, time, ...rest] = item.split('@');
      const good = isNumberText(position) && time !== undefined && isNumberText(time) && rest.length === 0;
      if (!good) refuse(option, 'a position, an @ and a time, as in 3@0', text);
      return { position: Number(position), time: Number(time) };
    }),
  );
}

export function parseCrashes(texts: readonly string[]): NodeFault[] | 'none' {
  if (!texts.includes('none')) return parseFaults('crash', texts);
  if (texts.length === 1) return 'none';
  return refuse('crash', "either 'none' or crashes such as 3@0", texts.join(' '));
}

export function parsePartition(text: string): Partition {
  const wrong = () => refuse('partition', 'groups and times, as in 0-3/4-7@10..50', text);
  const [, groups, from, until] = /^([^@]+)@(.+?)\.\.(.+)$/.exec(text) ?? wrong();
  if (!isNumberText(from) || !isNumberText(until) || !groups.includes('/')) wrong();
  const positions = (item: string): number[] => {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(item) ?? wrong();
    const [low, high] = [Number(first), Number(last ?? first)];
    if (high < low || high - low >= MAX_POSITIONS) wrong();
    return Array.from({ length: high - low + 1 }, (_, k) => low + k);
  };
  return {
    groups: groups.split('/').map((group) => group.split(',').flatMap(positions)),
    from: Number(from),
    until: Number(until),
  };
}

/** Does not check the values: the declaration of the parameter does. */
export function parseSettings(texts: readonly string[]): Record<string, Setting> {
  return parseNamed('set', 'name=value', texts, (value) => value);
}

/** For a sweep: several values are a list. */
export function parseSettingLists(texts: readonly string[]): Record<string, Setting | readonly Setting[]> {
  return parseNamed('set', 'name=value, or name=value,value', texts, (value) =>
    value.includes(',') ? value.split(',') : value,
  );
}

/** The largest value of each named counter. */
export function parseBounds(texts: readonly string[]): Record<string, number> {
  return parseNamed('bound', 'a counter and its largest value, as in round=3', texts, (value, text) =>
    isNumberText(value)
      ? Number(value)
      : refuse('bound', 'a counter and its largest value, as in round=3', text),
  );
}

function parseNamed<V>(
  option: string,
  expected: string,
  texts: readonly string[],
  read: (value: string, text: string) => V,
): Record<string, V> {
  const named = new Map<string, V>();
  for (const text of texts) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? refuse(option, expected, text);
    if (named.has(name))
      throw new OptionSyntaxError(option, `name ${name} only once, not in '${text}' again`);
    named.set(name, read(value, text));
  }
  return Object.fromEntries(named);
}

/** all, node, none, or names of invariants; the library knows which there are. */
export function parseInvariants(text: string): InvariantChoice {
  if (text === 'all' || text === 'node' || text === 'none') return text;
  return text.split(',');
}
