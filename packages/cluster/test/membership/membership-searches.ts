/** The searches of the member list, and the mutants that each must catch. */
import { searchSystem } from '../../../study/src/checker/index.ts';
import { type MembershipSetting, MembershipSystem } from './membership-system.ts';

/** Three members: the leader of term 1 may add member 3, the leader of term 2 may remove member 0. */
export const THREE: MembershipSetting = {
  first: 3,
  ids: 4,
  candidates: 2,
  terms: 2,
  versions: 2,
  termsOf: [[1], [2]],
  changes: [[3], [0]],
};

/** Four members: the leader of terms 1 and 3 may add member 4, the leader of term 2 may remove member 0. */
export const FOUR: MembershipSetting = {
  ...THREE,
  first: 4,
  ids: 5,
  terms: 3,
  termsOf: [[1, 3], [2]],
  changes: [[4], [0]],
};

/** Two members and a third one, any candidate in any term, any changes. */
export const TWO: MembershipSetting = { first: 2, ids: 3, candidates: 2, terms: 2, versions: 3 };

/** One member; two others start with a file of a list that nobody has proposed. */
const ONE: MembershipSetting = { first: 1, ids: 3, candidates: 3, terms: 1, versions: 2 };

/** Three members and a fourth one, two candidates in any term, any change of one member. */
export const ANY_THREE: MembershipSetting = { first: 3, ids: 4, candidates: 2, terms: 2, versions: 2 };

type Mutant = readonly [MembershipSetting, property: string];

const LOST = 'no committed list is lost';
const DISJOINT = 'one list with a majority';

export const QUICK_MUTANTS: Readonly<Record<string, Mutant>> = {
  'a leader that changes the list without a stamp of its own term': [
    { ...FOUR, mutant: 'no stamp' },
    DISJOINT,
  ],
  'a leader that changes two members at once': [{ ...ANY_THREE, mutant: 'two members at once' }, DISJOINT],
  'a voter that votes for a candidate with another list': [{ ...TWO, mutant: 'votes across lists' }, LOST],
  'a member that uses a record before it is on disk': [{ ...THREE, mutant: 'not synced' }, LOST],
  'a majority of the size of the old list': [{ ...THREE, mutant: 'majority of the old size' }, LOST],
  'a member that confirms a record of an earlier term': [
    { ...THREE, mutant: 'confirms in a later term' },
    LOST,
  ],
  'a member that votes again in its term when it stores the stamp of that term': [
    { ...ANY_THREE, mutant: 'forgets its vote' },
    'one leader in each term',
  ],
  'a new member that votes before it has a record': [{ ...ONE, mutant: 'votes without a record' }, DISJOINT],
};

export const LONG_MUTANTS: Readonly<Record<string, Mutant>> = {
  'a leader that changes the list before a majority has its stamp': [
    { ...FOUR, mutant: 'stamp not committed' },
    DISJOINT,
  ],
  'a member that stores an older record again': [{ ...TWO, terms: 3, mutant: 'stores older records' }, LOST],
};

export function searched(setting: MembershipSetting) {
  const { complete, states, transitions, violation } = searchSystem(new MembershipSystem(setting));
  return { violation: violation?.property ?? null, complete, states, transitions };
}
