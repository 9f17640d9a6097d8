import type { Cases } from '../../cases.ts';

const plainRaft = {
  timeout: 2,
  spread: 0,
  heartbeats: 2,
  prevote: false,
  checkQuorum: false,
  lease: false,
} as const;
const fullRaft = { ...plainRaft, prevote: true, checkQuorum: true, lease: true } as const;

export const cases: Cases = {
  refuses: 'network ids',
  run: { nodes: 3, initiators: [0], set: { spread: 0 }, until: 30 },
  sizes: [8, 64],
  settings: {
    8: { initiators: [0], set: { spread: 0 } },
    64: { initiators: [0], set: { spread: 0 } },
  },
  // Terms and rounds are unbounded. A message may stay in flight forever, which is equivalent to a loss.
  searches: [
    {
      nodes: 3,
      order: 'ascending',
      crashes: 1,
      recoveries: 1,
      set: plainRaft,
      bound: { term: 1, round: 1 },
      reduce: 'none',
    },
    {
      nodes: 4,
      order: 'ascending',
      initiators: [0, 1],
      set: plainRaft,
      bound: { term: 1, round: 1 },
      reduce: 'none',
    },
    { nodes: 2, order: 'ascending', set: fullRaft, bound: { term: 2, round: 2 }, reduce: 'none' },
  ],
  // Raft never terminates and sends upkeep for the whole horizon, so most networks are small. A majority survives.
  scenario: {
    nodes: (n, drawn) => (drawn % 20 === 0 ? n : 1 + (n % 7)),
    // Candidates without random timeouts may split the vote in every term.
    claims: ({ initiators, set }) =>
      set?.spread !== 0 || (Array.isArray(initiators) && initiators.length === 1),
    mayFail: (n) => Math.ceil(n / 2) - 1,
  },
};
