/**
 * Daniel S. Hirschberg, James B. Sinclair: Decentralized extrema-finding in circular configurations of
 * processors. Communications of the ACM 23(11), 1980. With veto and by phase as in R. Karnapke: Election Algorithms,
 * lecture notes, 2015, slides 22 and 25.
 *
 * Model: bidirectional ring, unique ids, asynchronous, uniform: nobody knows n. Any non-empty set initiates.
 * Wins: the largest id among the initiators; with compare=phase the largest of those that were quick enough.
 * Costs: 8n + 8n⌈log2 n⌉ messages at most, 5n + 4·2^⌈log2 n⌉ − 8 for sorted ids; then n to announce. How many
 * is settled by the ids and the initiators alone: a probe ends at a stronger initiator whatever the delays. With
 * compare=phase delays matter, and the bound holds all the same.
 *
 * Guarantees exactly one leader, known to all, in every schedule, in order or not: a candidate has at most one
 * phase under way, so nothing of its own can overtake anything of its own. Does not tolerate crash or loss.
 *
 * R1  In phase i = 0, 1, 2, … a candidate sends a probe both ways, to conquer 2^i nodes on either side. The
 *     initiators are the candidates.
 * R2  A probe that meets its own sender has gone all the way round: its sender has won, and sends word round.
 *     Asked before R4, since on a ring of 2^i nodes home is also the last hop. The other probe of that phase
 *     comes home too, sooner or later; it is swallowed.
 * R3  A stronger candidate swallows a probe, silently. Its sender waits for ever, as a loser.
 * R4  At hop 2^i a probe is answered by a reply, and before that passed on.
 * R5  A reply travels back the way its probe came. With one from either side the phase is won, and the next
 *     begins.
 * R6  A node that has not initiated does not stand: it only passes on and replies.
 * R7  Word of the winner goes clockwise, and is swallowed where it began.
 * R8  With veto on, a stronger candidate does not keep silent in R3: a veto travels back the way the probe came, so
 *     that its sender learns that it has lost.
 * R9  With compare=phase, stronger is whose pair (phase, id) is larger: who has got further is not stopped any more by
 *     a larger id that comes late. A candidate that lets a stronger pair pass, or replies to it, is passive for good,
 *     with the pair that it had: it begins no phase, but still stops whoever is weaker than that.
 */
import { counter, defineAlgorithm, flag, id, message, oneOf, onOff } from '../../kernel/index.ts';
import { announce, announcedOnce, elected, passOn } from './announcement.ts';

const PREVIOUS = 0;
const NEXT = 1;

/** The port on the other side. */
function onward(port: number): number {
  return port === NEXT ? PREVIOUS : NEXT;
}

/** ⌈log2 n⌉, the last phase: the first whose reach is the whole ring. */
function lastPhase(n: number): number {
  return 32 - Math.clz32(n - 1);
}

export const hirschbergSinclair = defineAlgorithm({
  name: 'hirschberg-sinclair',
  title: 'Hirschberg–Sinclair',
  source: 'Hirschberg, Sinclair 1980',
  cost: '8n + 8n⌈log2 n⌉ worst',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {
    veto: onOff('a stronger node sends word back to the one that it stops'),
    compare: oneOf('what makes a candidate stronger', ['id', 'phase']),
  },
  /**
   * answered: one side has replied in this phase. won: the first probe of the last phase is home. phase and passive
   * are those of R9, and not written without it.
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
        if (ctx.params.compare === 'phase') state.phase = phase + 1; // R9
        ctx.send(PREVIOUS, 'probe', id, phase + 1, 1); // R1
        ctx.send(NEXT, 'probe', id, phase + 1, 1);
      }
    },

    veto(_state, port, { id }, ctx) {
      if (id !== ctx.id) ctx.forward(onward(port)); // R8
    },

    elected: passOn, // R7
  },

  laws: [
    {
      measure: 'election',
      kind: 'bound',
      formula: '8n + 8n⌈log2 n⌉',
      value: ({ n }) => 8 * n + 8 * n * lastPhase(n),
    },
    {
      measure: 'election',
      kind: 'exact',
      formula: '5n + 4·2^⌈log2 n⌉ − 8',
      when: 'ids are sorted, either way, n ≥ 2, and all initiate, without veto, by id',
      value: ({ n, k, order, params, smooth }) =>
        order !== 'other' && n > 1 && k === n && smooth && !params.veto && params.compare === 'id'
          ? 5 * n + 4 * 2 ** lastPhase(n) - 8
          : undefined,
    },
    {
      measure: 'election',
      kind: 'exact',
      formula: '2n + 4·2^⌈log2 n⌉ − 4',
      when: 'one node initiates',
      value: ({ n, k }) => (k === 1 ? 2 * n + 4 * 2 ** lastPhase(n) - 4 : undefined),
    },
    announcedOnce,
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: 'n + 2·2^⌈log2 n⌉ − 2',
      when: 'in lockstep, whatever the ids and the initiators',
      value: ({ n, lockstep, smooth }) => (lockstep && smooth ? n + 2 * 2 ** lastPhase(n) - 2 : undefined),
    },
    {
      measure: 'announcementReturnedAt',
      kind: 'exact',
      formula: '2n + 2·2^⌈log2 n⌉ − 2',
      when: 'in lockstep, whatever the ids and the initiators',
      value: ({ n, lockstep, smooth }) =>
        lockstep && smooth ? 2 * n + 2 * 2 ** lastPhase(n) - 2 : undefined,
    },
  ],
});
