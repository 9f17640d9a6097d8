/**
 * Daniel S. Hirschberg, James B. Sinclair: Decentralized extrema-finding in circular configurations of processors.
 * Communications of the ACM 23(11), 1980. The parameters veto and compare=phase follow R. Karnapke: Election
 * Algorithms, lecture notes, 2015, slides 22 and 25.
 *
 * Model: bidirectional ring, unique ids, asynchronous, uniform (no node knows n). Any non-empty set of nodes
 * initiates.
 * Wins: the largest id among the initiators. With compare=phase not always the largest: an initiator in a later phase
 * beats a larger id in an earlier one.
 * Costs: at most 8n + 8n⌈log2 n⌉ messages, 5n + 4·2^⌈log2 n⌉ − 8 for sorted ids; then n for the announcement. The
 * count depends only on the ids and the initiators: a probe stops at the first stronger initiator, whatever the
 * delays. With compare=phase the count depends on the delays, but the bound still holds.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule, with or without FIFO links: a candidate has
 * messages of only one phase in flight, so they cannot overtake each other. Does not tolerate crashes or message
 * loss.
 *
 * R1  In phase i = 0, 1, 2, … a candidate sends a probe in both directions, to travel 2^i hops. The initiators are
 *     the candidates.
 * R2  A probe that returns to its sender has travelled the whole ring. Its sender becomes the leader and sends
 *     `elected` around the ring. This rule is tested before R4, because on a ring of 2^i nodes the sender is also the
 *     node at hop 2^i. The other probe of that phase returns later, and the leader discards it.
 * R3  A stronger candidate discards a probe without a reply. Its sender then never completes the phase.
 * R4  The node at hop 2^i answers a probe with a reply. The nodes before it forward the probe.
 * R5  A reply travels back along the path of its probe. A candidate that has received a reply from both sides enters
 *     the next phase.
 * R6  A node that has not initiated is not a candidate. It only forwards messages and replies to probes.
 * R7  `elected` travels clockwise, and the leader discards it when it returns.
 * R8  With veto on, the stronger candidate of R3 sends a veto back along the path of the probe, so that the weaker
 *     candidate learns that it has lost.
 * R9  With compare=phase, candidates are compared by the pair (phase, id), so a candidate in a later phase is not
 *     stopped by a larger id in an earlier one. A candidate that forwards or answers a stronger probe becomes passive
 *     and keeps its pair: it enters no further phase, but still discards weaker probes.
 */
import {
  bound,
  counter,
  defineAlgorithm,
  exact,
  flag,
  id,
  type LawCondition,
  message,
  oneOf,
  onOff,
} from '../../kernel/index.ts';
import { inLockstep, oneInitiates, sortedIds } from '../law-conditions.ts';
import { announce, announcementLaw, elected, forwardElected } from './announcement.ts';

const PREVIOUS = 0;
const NEXT = 1;

const comparesIds: LawCondition = [
  'without veto, compare=id',
  ({ params }) => !params.veto && params.compare === 'id',
];

/** The opposite port. */
function onward(port: number): number {
  return port === NEXT ? PREVIOUS : NEXT;
}

/** ⌈log2 n⌉, the last phase: the first in which a probe can travel the whole ring. */
function lastPhase(n: number): number {
  return 32 - Math.clz32(n - 1);
}

/** Hirschberg–Sinclair: probes of doubling range on a bidirectional ring. */
export const hirschbergSinclair = defineAlgorithm({
  name: 'hirschberg-sinclair',
  title: 'Hirschberg–Sinclair',
  source: 'Hirschberg, Sinclair 1980',
  cost: '8n + 8n⌈log2 n⌉ worst',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {
    veto: onOff('a candidate that discards a probe notifies its sender'),
    compare: oneOf('how candidates are compared: by id, or by phase and then id', ['id', 'phase']),
  },
  /**
   * answered: one reply of this phase has arrived. won: the first probe of the last phase has returned. phase is
   * compared, and passive written, only with compare=phase (R9).
   */
  state: {
    answered: flag(),
    won: flag(),
    phase: counter(({ n }) => lastPhase(n)),
    passive: flag(),
  },
  messages: {
    probe: message(
      ['id', id()],
      ['phase', counter(({ n }) => lastPhase(n))],
      ['hops', counter(({ n }) => n)],
    ),
    reply: message(['id', id()], ['phase', counter(({ n }) => lastPhase(n))]),
    veto: message(['id', id()]),
    elected,
  },

  passive: ({ passive }) => passive, // R9
  phase: ({ phase }) => (phase > 0 ? `phase ${phase}` : null),

  onStart(_state, ctx) {
    ctx.send(PREVIOUS, 'probe', ctx.id, 0, 1); // R1
    ctx.send(NEXT, 'probe', ctx.id, 0, 1);
  },

  on: {
    probe(state, port, { id, phase, hops }, ctx) {
      const own = ctx.id;
      const byPhase = ctx.params.compare === 'phase';
      if (id === own) {
        if (state.won) return; // R2
        state.won = true;
        announce(ctx);
        return;
      }
      if (ctx.initiator) {
        if (byPhase && state.phase !== phase ? state.phase > phase : own > id) {
          if (ctx.params.veto) ctx.send(port, 'veto', id); // R8
          return; // R3
        }
        if (byPhase) state.passive = true; // R9
      }
      if (hops < 1 << phase) {
        ctx.send(onward(port), 'probe', id, phase, hops + 1); // R4, R6
      } else {
        ctx.send(port, 'reply', id, phase); // R4, R6
      }
    },

    reply(state, port, { id, phase }, ctx) {
      if (id !== ctx.id) {
        ctx.forward(onward(port)); // R5, R6
      } else if (!state.answered) {
        state.answered = true;
      } else if (!state.passive) {
        state.answered = false; // R5
        state.phase = phase + 1; // R5
        ctx.send(PREVIOUS, 'probe', id, phase + 1, 1); // R1
        ctx.send(NEXT, 'probe', id, phase + 1, 1);
      }
    },

    veto(_state, port, { id }, ctx) {
      if (id !== ctx.id) ctx.forward(onward(port)); // R8
    },

    elected: forwardElected, // R7
  },

  invariants: {
    network: {
      'neighbourhood-conquered': {
        statement:
          'A candidate in phase i > 0 is the strongest candidate within 2^(i−1) nodes on either side; with compare=phase all others there are passive',
        holds: ({ nodes, messages, params }) =>
          messages.every(({ message }) => {
            if ((message.type !== 'probe' && message.type !== 'reply') || message.phase === 0) return true;
            const candidate = nodes.findIndex(({ id }) => id === message.id);
            const reach = Math.min(2 ** (message.phase - 1), nodes.length - 1);
            return [PREVIOUS, NEXT].every((port) => {
              let at = candidate;
              for (let hop = 1; hop <= reach; hop++) {
                at = nodes[at].neighbour(port);
                const { id, started, state } = nodes[at];
                const isBeaten = params.compare === 'phase' ? state.passive : id < message.id;
                if (started && !isBeaten) return false;
              }
              return true;
            });
          }),
      },
      'one-phase-at-a-time': {
        statement: 'All probes and replies in flight of one candidate belong to the same phase',
        holds: ({ messages }) => {
          const phases = new Map<number, number>();
          return messages.every(({ message }) => {
            if (message.type !== 'probe' && message.type !== 'reply') return true;
            const phase = phases.get(message.id) ?? message.phase;
            phases.set(message.id, phase);
            return phase === message.phase;
          });
        },
      },
    },
  },

  laws: [
    bound('election', '8n + 8n⌈log2 n⌉', ({ n }) => 8 * n + 8 * n * lastPhase(n)),
    exact(
      'election',
      '5n + 4·2^⌈log2 n⌉ − 8',
      [...sortedIds(2), comparesIds],
      ({ n }) => 5 * n + 4 * 2 ** lastPhase(n) - 8,
    ),
    exact('election', '2n + 4·2^⌈log2 n⌉ − 4', [oneInitiates], ({ n }) => 2 * n + 4 * 2 ** lastPhase(n) - 4),
    announcementLaw,
    exact('electedAt', 'n + 2·2^⌈log2 n⌉ − 2', [inLockstep], ({ n }) => n + 2 * 2 ** lastPhase(n) - 2),
    exact(
      'announcementReturnedAt',
      '2n + 2·2^⌈log2 n⌉ − 2',
      [inLockstep],
      ({ n }) => 2 * n + 2 * 2 ** lastPhase(n) - 2,
    ),
  ],
});
