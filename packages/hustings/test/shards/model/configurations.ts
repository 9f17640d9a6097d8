/** What is searched, with the size of its state space, for docs/shards.md. */
import type { GroupSetting } from './group-system.ts';
import type { ReshardSetting } from './reshard-system.ts';

export interface Counted<Setting> {
  readonly text: string;
  readonly setting: Setting;
  readonly states: number;
  readonly transitions: number;
}

const counted = <Setting>(
  text: string,
  setting: Setting,
  states: number,
  transitions: number,
): Counted<Setting> => ({ text, setting, states, transitions });

const two = { members: 2, shards: 3 };
const three = { members: 3, shards: 3 };

export const GROUPS: readonly Counted<GroupSetting>[] = [
  counted('2 members, 3 shards: one joins', { ...two, present: 1, joins: 1 }, 8_508, 31_470),
  counted(
    '2 members, 2 shards: one joins, one leaves',
    { members: 2, shards: 2, present: 1, joins: 1, leaves: 1 },
    11_175,
    36_980,
  ),
  counted('2 members, 3 shards: one crashes', { ...two, present: 2, crashes: 1 }, 401, 1_077),
  counted(
    '2 members, 3 shards: the work of a lost lease goes on',
    { ...two, present: 2, stuck: 1 },
    8_298,
    26_485,
  ),
  counted('2 members, 3 shards: a lease is lost', { ...two, present: 2, losses: 1 }, 595, 1_599),
];

/** For `npm run test:long`. */
export const LARGER_GROUPS: readonly Counted<GroupSetting>[] = [
  counted(
    '3 members, 2 shards: the work of a lost lease goes on',
    { members: 3, shards: 2, present: 3, stuck: 1 },
    961,
    2_420,
  ),
  counted(
    '2 members, 3 shards: one joins, the work of a lost lease goes on',
    { ...two, present: 1, joins: 1, stuck: 1 },
    268_983,
    1_090_721,
  ),
  counted('3 members, 4 shards: one joins', { members: 3, shards: 4, present: 2, joins: 1 }, 13_699, 55_823),
  counted(
    '2 members, 3 shards: one joins, one crashes',
    { ...two, present: 1, joins: 1, crashes: 1 },
    20_158,
    87_258,
  ),
  counted(
    '3 members, 3 shards: two crash, a lease is lost',
    { ...three, present: 3, crashes: 2, losses: 1 },
    34_987,
    140_547,
  ),
  counted(
    '3 members of weights 1, 2, 1, 3 shards: one joins, one crashes',
    { ...three, present: 2, joins: 1, crashes: 1, weights: [1, 2, 1] },
    27_442,
    100_443,
  ),
];

const once = { splits: 1, merges: 1 };

export const RESHARDINGS: readonly Counted<ReshardSetting>[] = [
  counted('a split and a merge, two terms of each shard', { ...once, terms: 2 }, 33_905, 141_137),
];

export const LARGER_RESHARDINGS: readonly Counted<ReshardSetting>[] = [
  counted('a split and a merge, three terms of each shard', { ...once, terms: 3 }, 390_580, 1_789_313),
];
