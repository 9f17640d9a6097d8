/** Invariants that all bully algorithms share: each follows from the state of one process. */
import { NONE, type NodeInvariant } from '../../kernel/index.ts';
import type { bullyState } from './bully-state.ts';

export const bullyInvariants: Readonly<Record<string, NodeInvariant<typeof bullyState>>> = {
  'term-never-decreases': {
    statement: 'The term of a process never decreases, not even in a crash',
    holds: ({ state, before }) => state.term >= before.term,
  },
  'no-smaller-coordinator': {
    statement: 'A process never accepts a smaller one as the coordinator',
    holds: ({ state: { coordinator }, id }) => coordinator === NONE || coordinator >= id,
  },
  'no-coordinator-during-election': {
    statement: 'A process that has a coordinator is in no election',
    holds: ({ state: { coordinator, phase } }) => coordinator === NONE || phase === 'idle',
  },
};
