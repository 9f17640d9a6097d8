/**
 * Searches of Raft. Terms and rounds are unbounded, and a message may stay in flight forever, which is equivalent to a loss:
 * no search is complete without bounds.
 */
const withoutExtensions = { heartbeats: 2, prevote: false, checkQuorum: false, lease: false } as const;

export const raftPresets = {
  /** One crash and one recovery: what must be durable. */
  election: {
    off: 'pre-vote, check quorum and lease off',
    nodes: 3,
    crashes: 1,
    recoveries: 1,
    set: withoutExtensions,
    bound: { term: 1, round: 1 },
  },
  /** A second term: leaders that are replaced. */
  terms: {
    off: 'pre-vote, check quorum and lease off',
    nodes: 3,
    set: withoutExtensions,
    bound: { term: 2, round: 1 },
  },
  /** All that a cluster runs with. The other nodes start when a message reaches them. */
  cluster: {
    nodes: 3,
    initiators: [0],
    set: { heartbeats: 2, prevote: true, checkQuorum: true, lease: true },
    bound: { term: 1, round: 1 },
  },
} as const;
