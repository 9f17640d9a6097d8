/** Conditions that the laws of several algorithms share. */
import type { LawCondition } from '../kernel/index.ts';

export const oneInitiates: LawCondition = ['one node initiates', ({ k }) => k === 1];
export const allInitiate: LawCondition = ['all initiate', ({ n, k }) => k === n];
export const inLockstep: LawCondition = ['in lockstep', ({ lockstep, faultless }) => lockstep && faultless];

export const noCrash: LawCondition = ['no crash', ({ crashes }) => crashes.length === 0];

/** For nested rings: one node detects the crash of the coordinator, and there is a ring inside the first. */
export const oneDetector: LawCondition = [
  'one detector, d ≥ 1',
  ({ k, params }) => k === 1 && params.depth !== 0,
];

/** For laws in D, which is not computed in large networks. */
export const allStartAtZero: LawCondition = [
  'all initiators start at 0',
  ({ faultless, D }) => faultless && D !== null,
];

export function atLeastNodes(least: number): LawCondition {
  return [`n ≥ ${least}`, ({ n }) => n >= least];
}

/** The ids of at least `least` nodes are sorted, up to rotation. All nodes initiate, at 0. */
export function sortedIds(least: number): readonly LawCondition[] {
  const isSorted: LawCondition = [
    'sorted ids (ascending or descending)',
    ({ order, faultless }) => order !== 'other' && faultless,
  ];
  return [isSorted, atLeastNodes(least), allInitiate];
}
