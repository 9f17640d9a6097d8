/** Faults that the search must find, each with the property that it violates. */
import * as plan from '../../../src/shards/core/shard-plan.ts';
import { admit } from '../../../src/shards/core/shard-tree.ts';
import type { GroupSetting } from './group-system.ts';
import type { ReshardSetting } from './reshard-system.ts';

type StepsOf = typeof plan.stepsOf;

/** The plan changes its mind about requests that are under way. The search has found this in the first version of the plan. */
const forgetsItsRequests: StepsOf = (view, own) => {
  const steps = plan.stepsOf(view, { ...own, claimed: new Set(), ending: new Map() });
  return {
    ...steps,
    claim: steps.claim.filter((shard) => !own.claimed.has(shard)),
    withdraw: [...own.claimed].filter((shard) => !steps.claim.includes(shard)),
  };
};

const claimsTooFew: StepsOf = (view, own) => {
  const most = Math.floor(view.owners.size / view.members.length);
  const steps = plan.stepsOf(view, own);
  return { ...steps, claim: steps.claim.slice(0, Math.max(0, most - own.held.size - own.claimed.size)) };
};

const handsNothingOver: StepsOf = (view, own) => ({ ...plan.stepsOf(view, own), handOver: [] });

const handsOverToEquals: StepsOf = (view, own) => {
  const steps = plan.stepsOf(view, own);
  const [shard] = own.held;
  const other = view.members.find(({ id }) => id !== own.id);
  return shard === undefined || other === undefined || own.claimed.size > 0
    ? steps
    : { ...steps, handOver: [{ shard, to: other.id }] };
};

const joins: GroupSetting = { members: 2, shards: 2, present: 1, joins: 1 };

export const GROUP_MUTANTS: Readonly<
  Record<string, { readonly setting: GroupSetting; readonly property: string }>
> = {
  'a shard is released before its work has finished': {
    setting: { ...joins, releasesEarly: true },
    property: 'one owner',
  },
  'the plan forgets the requests that are under way': {
    setting: { ...joins, stepsOf: forgetsItsRequests },
    property: 'moves end',
  },
  'members hand over to others that own as many': {
    setting: { ...joins, stepsOf: handsOverToEquals },
    property: 'moves end',
  },
  'nobody is quarantined from a shard that it does not take': {
    setting: { members: 2, shards: 2, present: 2, stuck: 1, neverQuarantines: true },
    property: 'no orphans',
  },
  'every member rounds its quota down': {
    setting: { members: 2, shards: 3, present: 2, stepsOf: claimsTooFew },
    property: 'no orphans',
  },
  'a member hands nothing over': { setting: { ...joins, stepsOf: handsNothingOver }, property: 'balance' },
};

const once: ReshardSetting = { splits: 1, merges: 1, terms: 2 };

/** A first child goes on, although the decision of a merge may follow. */
const undoesTooEarly: typeof admit = (shard, own, ...rest) => {
  const admission = admit(shard, own, ...rest);
  return admission.type === 'undecided' ? { type: 'work', epoch: own?.parent ?? 0n, text: null } : admission;
};

/** A child works as soon as its lease is granted. */
const trustsTheGrant: typeof admit = (shard, own, ...rest) =>
  own === null ? { type: 'work', epoch: 1n, text: null } : admit(shard, own, ...rest);

type ReshardMutants = Readonly<
  Record<string, { readonly setting: ReshardSetting; readonly property: string }>
>;

export const RESHARD_MUTANTS: ReshardMutants = {
  'the work goes on after the mark of a split was sent': {
    setting: { ...once, resumesAfterSplit: true },
    property: 'one owner',
  },
  'a child works without a look at its parent': {
    setting: { ...once, admit: trustsTheGrant },
    property: 'one owner',
  },
  // The first version of merges did this.
  'the second child goes on after the first mark of a merge failed': {
    setting: { ...once, resumesAfterFailure: true },
    property: 'no orphans',
  },
};

/** Some seconds each. */
export const SLOW_RESHARD_MUTANTS: Readonly<Record<string, ReshardSetting>> = {
  'the work goes on after the marks of a merge were sent': { ...once, resumesAfterMerge: true },
  'a merge is decided before its first mark was answered': { ...once, decidesAtOnce: true },
  'a merge is undone while its decision may follow': { ...once, admit: undoesTooEarly },
};
