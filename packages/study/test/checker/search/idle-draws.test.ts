/** Draws that nothing uses change no verdict, on algorithms made up at random in which tokens go round, perhaps without end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { check, type Termination } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, counter, defineAlgorithm, message } from '../../../src/kernel/index.ts';

const CASES = effort({ quick: 100, full: 2000 });
const [LEVELS, COLOURS] = [2, 2];

interface Rule {
  readonly level: number;
  /** The colour in which the token goes on; 0 if the node keeps it. */
  readonly colour: number;
}

const rule: fc.Arbitrary<Rule> = fc.record({
  level: fc.integer({ min: 0, max: LEVELS }),
  colour: fc.integer({ min: 0, max: COLOURS }),
});

/** By level and colour: two rules, between which a node draws if `draws`. */
const rules = fc.array(fc.tuple(rule, rule), {
  minLength: (LEVELS + 1) * COLOURS,
  maxLength: (LEVELS + 1) * COLOURS,
});

/** Every node sends one token. The number of tokens never grows, so there are finitely many states. */
function tokens(made: readonly (readonly [Rule, Rule])[], draws: boolean, idle: boolean): AnyAlgorithm {
  return defineAlgorithm({
    name: 'tokens',
    title: 'Tokens',
    source: 'none',
    cost: 'none',
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
    params: {},
    state: { level: counter(LEVELS) },
    messages: { token: message(['colour', counter(COLOURS)]) },
    laws: [],
    onStart(_state, ctx) {
      if (ctx.id === 2) ctx.decide('leader');
      else ctx.decide('follower', 2);
      ctx.send(1, 'token', ctx.id);
    },
    on: {
      token(state, _port, { colour }, ctx) {
        if (idle) ctx.random(2);
        const pair = made[state.level * COLOURS + colour - 1];
        const chosen = pair[draws ? ctx.random(2) - 1 : 0];
        state.level = chosen.level;
        if (chosen.colour > 0) ctx.send(1, 'token', chosen.colour);
      },
    },
  });
}

it.each([false, true])('the verdict on termination stays, among algorithms that draw: %s', (draws) => {
  const counts = new Map<Termination, number>();
  fc.assert(
    fc.property(rules, (made) => {
      const verdicts = [false, true].map((idle) => {
        const { termination, violations } = check(tokens(made, draws, idle), {
          ids: [1, 2],
          starts: 'together',
        });
        return { termination, violations: violations.map(({ property, text }) => [property, text]) };
      });
      expect(verdicts[1]).toEqual(verdicts[0]);
      const [{ termination }] = verdicts;
      counts.set(termination, (counts.get(termination) ?? 0) + 1);
    }),
    { numRuns: CASES, seed: 1 },
  );
  // Each verdict occurs, so that the comparison means something.
  expect([...counts.keys()].sort()).toEqual(
    draws ? ['almost-sure', 'sure', 'violated'] : ['sure', 'violated'],
  );
});
