/** Tokens that go round, perhaps without end, and restart timers: the reduced and the full search have the same verdict. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { check } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, counter, defineAlgorithm, message } from '../../../src/kernel/index.ts';

const CASES = effort({ quick: 100, full: 2000 });
const [LEVELS, COLOURS] = [2, 2];

interface Rule {
  readonly level: number;
  /** The colour in which the token goes on; 0 if the node keeps it. */
  readonly colour: number;
  readonly restarts: boolean;
}

const rule: fc.Arbitrary<Rule> = fc.record({
  level: fc.integer({ min: 0, max: LEVELS }),
  colour: fc.integer({ min: 0, max: COLOURS }),
  restarts: fc.boolean(),
});

/** By level and colour, and by level for the timer. */
const rules = fc.array(rule, {
  minLength: (LEVELS + 1) * (COLOURS + 1),
  maxLength: (LEVELS + 1) * (COLOURS + 1),
});

/** Every node sends one token. The number of tokens never grows, so there are finitely many states. */
function tokens(made: readonly Rule[], fifo: boolean): AnyAlgorithm {
  return defineAlgorithm({
    name: 'tokens',
    title: 'Tokens',
    source: 'none',
    cost: 'none',
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo },
    params: {},
    state: { level: counter(LEVELS) },
    messages: { token: message(['colour', counter(COLOURS)]) },
    timers: ['bell'],
    laws: [],
    onStart(_state, ctx) {
      ctx.decide(ctx.id === 2 ? 'leader' : 'follower', 2);
      ctx.send(1, 'token', 1);
      ctx.setTimer('bell', 1);
    },
    on: {
      token(state, _port, { colour }, ctx) {
        const next = made[state.level * (COLOURS + 1) + colour];
        state.level = next.level;
        if (next.restarts) ctx.setTimer('bell', 1);
        if (next.colour > 0) ctx.send(1, 'token', next.colour);
      },
    },
    onTimer(state, _timer, _ctx) {
      state.level = made[state.level * (COLOURS + 1)].level;
    },
  });
}

it('the reduced and the full search agree about tokens that restart timers', () => {
  const counts = { sure: 0, violated: 0, reduced: 0 };
  fc.assert(
    fc.property(rules, fc.boolean(), (made, fifo) => {
      const options = { ids: [1, 2], starts: 'first', stateLimit: 20_000 } as const;
      const full = check(tokens(made, fifo), { ...options, reduce: 'none' });
      const reduced = check(tokens(made, fifo), options);
      expect(reduced.termination).toBe(full.termination);
      expect(reduced.violations.map(({ property }) => property)).toEqual(
        full.violations.map(({ property }) => property),
      );
      if (full.termination === 'sure') counts.sure++;
      if (full.termination === 'violated') counts.violated++;
      if (reduced.states < full.states) counts.reduced++;
    }),
    { numRuns: CASES, seed: 2 },
  );
  expect(Math.min(counts.sure, counts.violated, counts.reduced)).toBeGreaterThan(CASES / 20);
});
