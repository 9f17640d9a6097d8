import { describe, expect, it } from 'vitest';
import { check } from '../../../src/checker/index.ts';
import { announcement, counter, defineAlgorithm, id, message, Random } from '../../../src/kernel/index.ts';
import { simulate, type TraceEvent } from '../../../src/simulator/index.ts';

const MOST = 2 ** 53 - 1;

/** The largest number leads, where the number of a node follows from its id. */
function numbered(numberOf: (id: number) => number, most = MOST) {
  return defineAlgorithm({
    name: 'numbered',
    title: 'Numbered',
    source: 'a test',
    cost: 'n²',
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
    params: {},
    state: { number: counter(most), best: counter(most) },
    messages: {
      token: message(['number', counter(most)], ['id', id()]),
      elected: announcement(['id', id()]),
    },
    onStart(state, ctx) {
      state.number = numberOf(ctx.id);
      ctx.send(1, 'token', state.number, ctx.id);
    },
    on: {
      token(state, _port, { number, id }, ctx) {
        if (number > state.best) state.best = number;
        if (id === ctx.id) {
          ctx.decide('leader');
          ctx.send(1, 'elected', id);
        } else if (number > state.number) ctx.forward(1);
      },
      elected(_state, _port, { id }, ctx) {
        if (id === ctx.id) return;
        ctx.decide('follower', id);
        ctx.forward(1);
      },
    },
    laws: [],
  });
}

describe('a counter up to 2^53 − 1', () => {
  const wide = numbered((id) => MOST - id);

  it('is stored, compared and sent exactly, in every schedule', () => {
    for (const schedule of ['lockstep', 'random'] as const) {
      const states: TraceEvent[] = [];
      const observe = (event: TraceEvent) => void states.push(event);
      const { leader } = simulate(wide, { ids: [3, 1, 2], schedule, observe, states: true });
      expect(leader?.id).toBe(1);
      expect(states).toContainEqual(
        expect.objectContaining({ type: 'state', state: { number: MOST - 1, best: MOST - 1 } }),
      );
      expect(states).toContainEqual(
        expect.objectContaining({ type: 'send', message: { type: 'token', number: MOST - 2, id: 2 } }),
      );
    }
  });

  it('takes 53 bits on a link', () => {
    const bits = (most: number) =>
      simulate(
        numbered((id) => id, most),
        { ids: [1] },
      ).bits;
    expect(bits(MOST) - bits(1)).toBe(52);
    expect(bits(2 ** 40 - 1) - bits(1)).toBe(39);
  });

  it('gives the checker the states of the same algorithm with small numbers', () => {
    const options = { nodes: 3, orders: 'all', starts: 'first' } as const;
    const [large, small] = [wide, numbered((id) => 10 - id, 10)].map((each) => check(each, options));
    expect(large.complete).toBe(true);
    expect(large.states).toBe(small.states);
  });

  it.each([
    ['larger', 2 ** 53],
    ['negative', -1],
    ['broken', 0.5],
  ])('refuses a %s number', (_, number) => {
    expect(() =>
      simulate(
        numbered(() => number),
        { nodes: 2 },
      ),
    ).toThrow(`'number' takes a whole number from 0 to ${MOST}, not ${number}`);
  });

  it('is the largest that there is', () => {
    expect(() => counter(2 ** 53)).toThrow(
      /limit of a field must be a whole number from 0 to 9007199254740991/,
    );
  });
});

describe('random numbers up to 2^53 − 1', () => {
  it('are drawn by handlers, with all their bits', () => {
    const drawing = numbered(() => 0);
    const drawn: number[] = [];
    const random = {
      ...drawing,
      onStart(
        state: { number: number },
        ctx: { random(k: number): number; send(...given: unknown[]): void; id: number },
      ) {
        state.number = ctx.random(MOST);
        drawn.push(state.number);
        ctx.send(1, 'token', state.number, ctx.id);
      },
    };
    simulate(random as never, { nodes: 64 });
    expect(Math.max(...drawn)).toBeGreaterThan(2 ** 50);
    expect(new Set(drawn.map((number) => number % 4)).size).toBe(4);
  });

  it('are uniform: each third of the range has its share', () => {
    const random = new Random(1, 'wide');
    const k = 3 * 2 ** 50;
    const counts = [0, 0, 0];
    for (let i = 0; i < 3000; i++) counts[Math.floor(random.below(k) / 2 ** 50)]++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
