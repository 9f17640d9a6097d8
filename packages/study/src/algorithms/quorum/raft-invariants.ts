/** The invariants of Raft's election. The safety of a term, at most one leader, follows from them. */
import { type Field, type Invariants, NONE } from '../../kernel/index.ts';

type VotingState = {
  readonly term: Field<number>;
  readonly votedFor: Field<number>;
  readonly role: Field<'follower' | 'pre-candidate' | 'candidate' | 'leader'>;
  readonly yes: Field<number[]>;
};

export const raftInvariants: Invariants<VotingState> = {
  node: {
    'term-never-decreases': {
      statement: 'The term of a node never decreases, not even in a crash',
      holds: ({ state, before }) => state.term >= before.term,
    },
    'one-vote-per-term': {
      statement: 'A vote never changes within a term',
      holds: ({ state, before }) =>
        state.term !== before.term || before.votedFor === NONE || state.votedFor === before.votedFor,
    },
    'candidate-votes-for-itself': {
      statement: 'A candidate or leader has voted for itself',
      holds: ({ state: { role, votedFor }, id }) =>
        (role !== 'candidate' && role !== 'leader') || votedFor === id,
    },
    'leader-counted-majority': {
      statement: 'A leader has counted the votes of a majority, its own included',
      holds: ({ state, degree }) =>
        state.role !== 'leader' || 2 * (1 + state.yes.filter((round) => round > 0).length) > degree + 1,
    },
  },
  network: {
    'counted-votes-were-cast': {
      statement: 'A node whose vote a candidate has counted has voted for it or is in a later term',
      holds: ({ nodes }) =>
        nodes.every(
          ({ id, state: { role, term, yes }, neighbour }) =>
            role !== 'candidate' ||
            yes.every((round, port) => {
              const voter = nodes[neighbour(port)].state;
              return round === 0 || voter.term > term || (voter.term === term && voter.votedFor === id);
            }),
        ),
    },
    // A voter that ignored the term of a request would still vote once per term. But a candidate would count an answer to a
    // request of an earlier candidacy, which may be too old for the lease. A recording may begin with votes for a node that
    // starts later.
    'vote-in-term-of-candidate': {
      statement: 'A node that has a vote in a term has reached that term',
      holds: ({ nodes }) =>
        nodes.every(({ state: { term, votedFor } }) =>
          nodes.every(({ id, started, state }) => id !== votedFor || !started || state.term >= term),
        ),
    },
    // Acknowledged heartbeats replace counted votes at a leader, so this reads the voters.
    'majority-voted-for-leader': {
      statement: 'A majority of the nodes has voted for each leader in its term or is in a later term',
      holds: ({ nodes }) =>
        nodes.every(({ id, state: { role, term } }) => {
          if (role !== 'leader') return true;
          const voters = nodes.filter(
            ({ state }) => state.term > term || (state.term === term && state.votedFor === id),
          );
          return 2 * voters.length > nodes.length;
        }),
    },
  },
};
