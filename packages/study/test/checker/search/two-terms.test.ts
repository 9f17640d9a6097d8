/** A handler that decides several times: every decision counts, and not the last one alone. */
import { expect, it } from 'vitest';
import { check, counterexampleOf, narrateReplay, replayCounterexample } from '../../../src/checker/index.ts';
import { type AnyAlgorithm, defineAlgorithm, message } from '../../../src/kernel/index.ts';
import { formatEvent } from '../../../src/kernel/trace.ts';
import { simulate } from '../../../src/simulator/index.ts';

/** Node 1 leads term 1. Node 2 leads term 1 too, and then does `then` in the same handler. */
function leadingTwice(then: 'leads' | 'follows'): AnyAlgorithm {
  return defineAlgorithm({
    name: 'two-terms',
    title: 'Two terms',
    source: 'none',
    cost: 'none',
    params: {},
    laws: [],
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
    state: {},
    messages: { m: message() },
    onStart(_state, ctx) {
      ctx.decide('leader', undefined, 1);
      if (ctx.id !== 2) return;
      if (then === 'leads') ctx.decide('leader', undefined, 2);
      else ctx.decide('follower', 1, 2);
      ctx.send(1, 'm');
    },
    on: {
      m(_state, _port, _message, ctx) {
        if (ctx.id === 1 && then === 'leads') ctx.decide('follower', 2, 2);
        else if (ctx.id === 1) ctx.decide('leader', undefined, 2);
      },
    },
  });
}

const ids = [1, 2];

it.each(['leads', 'follows'] as const)(
  'a term that a handler leads and leaves is a term that was led (%s)',
  (then) => {
    const algorithm = leadingTwice(then);
    for (const reduce of ['auto', 'none'] as const) {
      const result = check(algorithm, { ids, reduce });
      expect(result.violations.map(({ property, text }) => [property, text])).toEqual([
        ['uniqueness', 'nodes 0 and 1 both lead term 1'],
      ]);
    }
    expect(() => simulate(algorithm, { ids })).toThrow(
      /became the leader of term 1, which node 0 has led already/,
    );
  },
);

it('a narration names every decision of a handler', () => {
  const algorithm = leadingTwice('leads');
  const options = { ids };
  const found = counterexampleOf(algorithm, check(algorithm, options), options);
  if (found === null) throw new Error('there is a counterexample');
  const text = narrateReplay(replayCounterexample(algorithm, found)).join('\n');
  expect(text).toContain('becomes the leader of term 1, becomes the leader of term 2');
});

it('a trace names every decision of a handler', () => {
  const lines: string[] = [];
  simulate(leadingTwice('leads'), {
    ids: [2],
    observe: (event) => {
      if (event.type === 'decide') lines.push(formatEvent(event));
    },
  });
  expect(lines).toEqual(['0.000 decide 0 leader term 1', '0.000 decide 0 leader term 2']);
});
