/** The searches of lists that follow each other, and the mutants that each must catch. */
import { searchSystem } from '../../../study/src/checker/index.ts';
import { backersOf, majoritiesIntersect } from '../../src/gate/list-succession.ts';
import { type ListSetting, ListSystem } from './list-system.ts';

/** One member more each time: a member that takes all three alone must not make a majority with two new ones. */
export const GROWING: readonly (readonly number[])[] = [
  [0, 1, 2],
  [0, 1, 2, 3],
  [0, 1, 2, 3, 4],
];
export const SHRINKING = GROWING.toReversed();
/** Member 2 is replaced by member 3. */
export const REPLACING: readonly (readonly number[])[] = [
  [0, 1, 2],
  [0, 1, 2, 3],
  [0, 1, 3],
];

export const MUTANTS: Readonly<Record<string, readonly [ListSetting, property: string]>> = {
  'a member that asks only whether the majorities share a member': [
    {
      lists: GROWING,
      tokens: 0,
      backers: (self, held, next, told) => {
        const follows = held?.version === next.version - 1 && majoritiesIntersect(held.members, next.members);
        return follows ? [] : backersOf(self, held, next, told);
      },
    },
    'one leader',
  ],
  'a member that asks only whether a majority has stored the version before': [
    {
      lists: [
        [0, 1, 2],
        [0, 1, 2, 3, 4],
      ],
      tokens: 0,
      refuses: () => null,
      backers: (self, held, next, told) => {
        const same = held && { ...next, members: held.members };
        return backersOf(self, held, same ?? next, told);
      },
    },
    'one leader',
  ],
  'a first start that supports at once with a later version': [
    {
      lists: [[0], [0, 1, 2]],
      tokens: 0,
      backers: (self, held, next, told) => (held === null ? [] : backersOf(self, held, next, told)),
    },
    'one leader',
  ],
  'a member that leaves out a version': [
    {
      lists: GROWING,
      tokens: 0,
      refuses: () => null,
      backers: (self, held, next, told) =>
        held !== null && next.version > held.version + 1 ? [] : backersOf(self, held, next, told),
    },
    'one leader',
  ],
  'a member that supports leaders of earlier lists': [
    { lists: GROWING, tokens: 0, supportsEarlier: true },
    'one leader',
  ],
  'a member that does not count the tokens of those before': [
    { lists: REPLACING, tokens: 1, ignoresTokens: true },
    'rising tokens',
  ],
};

export function searchLists(setting: ListSetting) {
  const { complete, states, violation } = searchSystem(new ListSystem(setting));
  return { violation: violation?.property ?? null, complete, states };
}

/** All lists of `ids` members, the empty one excepted. */
export function allLists(ids: number): number[][] {
  return Array.from({ length: 2 ** ids - 1 }, (_, set) =>
    Array.from({ length: ids }, (_, id) => id).filter((id) => ((set + 1) >> id) & 1),
  );
}
