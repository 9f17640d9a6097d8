import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changRoberts } from '../../../src/algorithms/index.ts';
import { counter, InputError, message } from '../../../src/kernel/index.ts';
import { type Choice, fileSchedule, simulate } from '../../../src/simulator/index.ts';
import { linesOf, testAlgorithm, traceOf } from '../test-algorithm.ts';

/** The middle of a line of three sends two messages in each direction. */
const pairs = testAlgorithm({
  messages: { item: message(['number', counter(9)]) },
  onStart(_state, ctx) {
    for (const number of [1, 2]) for (const port of [0, 1]) ctx.send(port, 'item', number);
  },
});
const line = { ids: [1, 2, 3], topology: 'line', initiators: [1] } as const;

describe('an adversary', () => {
  test('chooses each delivery, which takes one unit', () => {
    const last = { pick: (choices: readonly Choice[]) => choices.length - 1 };
    expect(linesOf(pairs, { ...line, schedule: last }, ['deliver'])).toEqual([
      '1.000 deliver 1 > 2 item number=1',
      '2.000 deliver 1 > 2 item number=2',
      '3.000 deliver 1 > 0 item number=1',
      '4.000 deliver 1 > 0 item number=2',
    ]);
  });

  test('can choose only the oldest message of each FIFO link', () => {
    const offers: Choice[][] = [];
    const pick = (choices: readonly Choice[], step: number) => {
      expect(step).toBe(offers.length);
      offers.push([...choices]);
      return 0;
    };
    traceOf(pairs, { ...line, schedule: { pick } });
    const left = { from: 1, to: 0, port: 0 };
    const right = { from: 1, to: 2, port: 0 };
    expect(offers).toEqual([[left, right], [right, left], [left, right], [right]]);
  });

  test('can choose any message on links without FIFO', () => {
    const sizes: number[] = [];
    const pick = (choices: readonly Choice[]) => {
      sizes.push(choices.length);
      return choices.length - 1;
    };
    const lines = linesOf(pairs, { ...line, schedule: { pick, fifo: false } }, ['deliver']);
    expect(sizes).toEqual([4, 3, 2, 1]);
    expect(lines.map((text) => text.slice(-1))).toEqual(['2', '2', '1', '1']);
  });

  test.each([-1, 2, 1.5, Number.NaN])('that chooses %d of two gets an error', (picked) => {
    const run = () => traceOf(pairs, { ...line, schedule: { pick: () => picked } });
    expect(run).toThrow(
      new InputError(`an adversary must return an index from 0 to 1, not ${picked}, at step 0`),
    );
  });

  test('that starves a link still loses no message, and the election is valid', () => {
    fc.assert(
      fc.property(fc.nat(7), fc.nat(), (starved, seed) => {
        const pick = (choices: readonly Choice[]) =>
          Math.max(
            0,
            choices.findIndex(({ from }) => from !== starved),
          );
        const { leader, messages } = simulate(changRoberts, { nodes: 8, seed, schedule: { pick } });
        expect(leader?.id).toBe(8);
        expect(messages).toEqual(simulate(changRoberts, { nodes: 8, seed }).messages);
      }),
      { numRuns: 50 },
    );
  });

  test('lets timers fire between its deliveries', () => {
    const ticking = testAlgorithm({
      messages: { item: message() },
      timers: ['tick'],
      onStart(_state, ctx) {
        for (let k = 0; k < 3; k++) ctx.send(0, 'item');
        ctx.setTimer('tick', 1.5);
      },
    });
    const schedule = { pick: () => 0 };
    expect(
      linesOf(ticking, { ids: [1, 2], topology: 'line', initiators: [0], schedule }, ['deliver', 'timer']),
    ).toEqual([
      '1.000 deliver 0 > 1 item',
      '1.500 timer 0 tick',
      '2.000 deliver 0 > 1 item',
      '3.000 deliver 0 > 1 item',
    ]);
  });
});

test('a trace is a schedule: replayed, every node receives the same messages in the same order', () => {
  const random = { nodes: 9, schedule: 'random', seed: 5 } as const;
  const trace = traceOf(changRoberts, random);
  const schedule = { pick: fileSchedule(trace.join('\n'), 'trace'), name: 'file:trace' };
  const withoutTimes = (lines: readonly string[]) => lines.map((text) => text.slice(text.indexOf(' ') + 1));
  const again = traceOf(changRoberts, { nodes: 9, seed: 5, schedule });
  expect(withoutTimes(again)).toEqual(withoutTimes(trace));
});
