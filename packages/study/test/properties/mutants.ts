/**
 * For each invariant an algorithm with one slip that violates it, and a search that shows it. A slip wraps a handler or
 * changes a field; the invariants are those of the right algorithm.
 */
import {
  bully,
  bullyGrant,
  bullyIds,
  bullySuccessor,
  dolevKlaweRodeh,
  echoElection,
  hirschbergSinclair,
  peterson,
  raft,
  twins,
} from '../../src/algorithms/index.ts';
import type { CheckOptions } from '../../src/checker/index.ts';
import { type AnyAlgorithm, counter, MAX_WORD, NONE } from '../../src/kernel/index.ts';

export interface InvariantMutant {
  readonly invariant: string;
  /** What the mutant does wrong. */
  readonly slip: string;
  readonly algorithm: AnyAlgorithm;
  readonly search: CheckOptions;
}

// biome-ignore lint/suspicious/noExplicitAny: a slip may touch any field of any algorithm
type Loose = any;
type Handler = (state: Loose, port: number, message: Loose, ctx: Loose) => undefined;

const VOTES = { timeout: 2, spread: 0, heartbeats: 2, prevote: false, checkQuorum: false, lease: false };
const ONE_TERM = { set: VOTES, bound: { term: 1, round: 1 } } as const;

/** The same algorithm, with a handler of one message that runs something before or after the right one. */
function withHandler(algorithm: AnyAlgorithm, type: string, wrap: (right: Handler) => Handler): AnyAlgorithm {
  return { ...algorithm, on: { ...algorithm.on, [type]: wrap(algorithm.on[type]) } };
}

/** The term is not on disk. Such a field cannot be named as the term of tokens. */
function withVolatileTerm({ termField: _, ...algorithm }: AnyAlgorithm): AnyAlgorithm {
  return { ...algorithm, state: { ...algorithm.state, term: counter(MAX_WORD) } };
}

/** A wrong twin from the catalogue, with the name and the invariants of the right algorithm. */
function twin(name: string, { invariants, name: right }: AnyAlgorithm): AnyAlgorithm {
  const found = twins.find((each) => each.name === name);
  if (found === undefined || invariants === undefined) throw new RangeError(`there is no wrong twin ${name}`);
  return { ...found.algorithm, name: right, invariants };
}

const before =
  (slip: (state: Loose, message: Loose, ctx: Loose) => void) =>
  (right: Handler): Handler =>
  (state, port, message, ctx) => {
    slip(state, message, ctx);
    return right(state, port, message, ctx);
  };

const after =
  (slip: (state: Loose, port: number, ctx: Loose) => void) =>
  (right: Handler): Handler =>
  (state, port, message, ctx) => {
    right(state, port, message, ctx);
    slip(state, port, ctx);
  };

const forgetsVotes = withHandler(
  raft,
  'requestVote',
  after((state) => {
    state.votedFor = NONE;
  }),
);

/** Its term is not compared with the term of the node, so the vote is cast in the term of the voter. */
const votesInItsOwnTerm = withHandler(raft, 'requestVote', (right) => (state, port, { term, round }, ctx) => {
  right(state, port, { term: Math.max(term, state.term), round }, ctx);
});

const countsPreVotesInAnyRole = withHandler(raft, 'preVote', (right) => (state, port, message, ctx) => {
  const { role } = state;
  state.role = 'pre-candidate';
  right(state, port, message, ctx);
  if (state.role === 'pre-candidate') state.role = role;
});

const CRASH = { crashes: 1 } as const;
const BULLIES = [bully, bullyIds, bullyGrant, bullySuccessor];
const PROCESSES = { nodes: 4, order: 'ascending', ...CRASH } as const;

const ofRaft: readonly InvariantMutant[] = [
  {
    invariant: 'term-never-decreases',
    slip: 'the term is not on disk',
    algorithm: withVolatileTerm(raft),
    search: { ids: [1, 2], ...ONE_TERM, ...CRASH },
  },
  {
    invariant: 'one-vote-per-term',
    slip: 'the vote is not on disk',
    algorithm: twin('raft-forgetful', raft),
    search: { ids: [1, 2], ...ONE_TERM, ...CRASH },
  },
  {
    invariant: 'candidate-votes-for-itself',
    slip: 'a candidate keeps its vote free',
    algorithm: {
      ...raft,
      onTimer: (state: Loose, timer: never, ctx: never) => {
        raft.onTimer?.(state, timer, ctx);
        if (state.role === 'candidate') state.votedFor = NONE;
      },
    } as unknown as AnyAlgorithm,
    search: { ids: [1, 2], ...ONE_TERM },
  },
  {
    invariant: 'leader-counted-majority',
    slip: 'half the votes are enough',
    algorithm: twin('raft-half', raft),
    search: { ids: [1, 2], ...ONE_TERM },
  },
  {
    invariant: 'counted-votes-were-cast',
    slip: 'a voter does not record its vote',
    algorithm: forgetsVotes,
    search: { ids: [1, 2, 3, 4], initiators: [0], ...ONE_TERM },
  },
  {
    invariant: 'counted-votes-were-cast',
    slip: 'a pre-vote is counted in any role',
    algorithm: countsPreVotesInAnyRole,
    // The answers of a majority make a candidate: that of the last node then arrives in another role.
    search: {
      ids: [1, 2, 3, 4],
      initiators: [0],
      set: { ...VOTES, prevote: true },
      bound: { term: 1, round: 1 },
      stateLimit: 50_000,
    },
  },
  {
    invariant: 'vote-in-term-of-candidate',
    slip: 'a vote is granted without comparing terms',
    algorithm: votesInItsOwnTerm,
    search: {
      ids: [1, 2, 3],
      initiators: [0, 1],
      set: VOTES,
      bound: { term: 2, round: 1 },
      stateLimit: 50_000,
    },
  },
  {
    invariant: 'majority-voted-for-leader',
    slip: 'a voter does not record its vote',
    algorithm: forgetsVotes,
    search: { ids: [1, 2, 3], initiators: [0], ...ONE_TERM },
  },
];

const ofRings: readonly InvariantMutant[] = [
  {
    invariant: 'temporary-id-grows',
    slip: 'v is compared with p alone',
    algorithm: withHandler(
      peterson,
      'id',
      before((state) => {
        if (state.at === 'receive p') state.s = NONE;
      }),
    ),
    search: { ids: [2, 3, 1] },
  },
  {
    invariant: 'maximum-survives',
    slip: 'v must be larger than p',
    algorithm: twin('peterson-strict', peterson),
    search: { ids: [2, 3, 1] },
  },
  {
    invariant: 'maximum-grows',
    slip: 'the neighbour is compared with two(y) alone',
    algorithm: withHandler(
      dolevKlaweRodeh,
      'two',
      before((state) => {
        if (state.active) state.maximum = NONE;
      }),
    ),
    search: { ids: [2, 3, 1] },
  },
  {
    invariant: 'maximum-survives',
    slip: 'every active node becomes passive at two(y)',
    algorithm: withHandler(
      dolevKlaweRodeh,
      'two',
      before((state) => {
        state.active = false;
      }),
    ),
    search: { ids: [2, 3, 1] },
  },
  {
    invariant: 'neighbourhood-conquered',
    slip: 'a stronger candidate forwards a probe',
    algorithm: withHandler(hirschbergSinclair, 'probe', (right) => (state, port, message, ctx) => {
      const { id, phase, hops } = message;
      if (id === ctx.id) return right(state, port, message, ctx);
      if (hops < 1 << phase) ctx.send(1 - port, 'probe', id, phase, hops + 1);
      else ctx.send(port, 'reply', id, phase);
    }),
    search: { ids: [2, 3, 1] },
  },
  {
    invariant: 'neighbourhood-conquered',
    slip: 'with compare=phase a candidate that forwards a probe stays active',
    algorithm: withHandler(
      hirschbergSinclair,
      'probe',
      after((state) => {
        state.passive = false;
      }),
    ),
    search: { ids: [2, 3, 1], set: { compare: 'phase' } },
  },
  {
    invariant: 'one-phase-at-a-time',
    slip: 'one reply is enough for the next phase',
    algorithm: withHandler(
      hirschbergSinclair,
      'reply',
      before((state, message, ctx) => {
        if (message.id === ctx.id) state.answered = true;
      }),
    ),
    search: { ids: [2, 3, 1] },
  },
];

const ofEcho: readonly InvariantMutant[] = [
  {
    invariant: 'wave-never-weakens',
    slip: 'a node joins a weaker wave',
    algorithm: withHandler(
      echoElection,
      'explorer',
      before((state, message) => {
        if (message.id < state.wave) state.wave = NONE;
      }),
    ),
    search: { ids: [2, 3, 1], topology: 'ring' },
  },
  {
    invariant: 'parents-form-trees',
    slip: 'a node joins its own wave again',
    algorithm: withHandler(
      echoElection,
      'explorer',
      before((state, message) => {
        if (message.id === state.wave) state.wave = NONE;
      }),
    ),
    search: { ids: [2, 3, 1], topology: 'ring' },
  },
];

const ofBullies: readonly InvariantMutant[] = [
  ...BULLIES.flatMap((each): InvariantMutant[] => [
    {
      invariant: 'term-never-decreases',
      slip: 'the term is not on disk',
      algorithm: withVolatileTerm(each),
      search: PROCESSES,
    },
    {
      invariant: 'no-smaller-coordinator',
      slip: 'a process accepts the smaller one that calls it',
      algorithm: withHandler(
        each,
        'election',
        after((state, port, ctx) => {
          state.coordinator = ctx.neighbour(port);
        }),
      ),
      search: PROCESSES,
    },
    {
      invariant: 'no-coordinator-during-election',
      slip: 'a process that is answered takes itself for the coordinator',
      algorithm: withHandler(
        each,
        'answer',
        after((state, _port, ctx) => {
          state.coordinator = ctx.id;
        }),
      ),
      search: PROCESSES,
    },
  ]),
  {
    invariant: 'recovered-leads-own-terms',
    slip: 'a process that has recovered leads any term',
    algorithm: {
      ...bully,
      onTimer: (state: Loose, timer: never, ctx: never) => {
        const { recovered } = state;
        state.recovered = false;
        bully.onTimer?.(state, timer, ctx);
        state.recovered = recovered;
      },
    } as unknown as AnyAlgorithm,
    search: { ...PROCESSES, nodes: 3, recoveries: 1, starts: 'free' },
  },
];

export const INVARIANT_MUTANTS = [...ofRaft, ...ofRings, ...ofEcho, ...ofBullies];
