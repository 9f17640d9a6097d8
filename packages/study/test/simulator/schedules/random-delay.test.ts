import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../src/kernel/driver.ts';
import { counter, MAX_WORD, message, Random } from '../../../src/kernel/index.ts';
import { MAX_DELAY, MIN_DELAY, RandomDelay } from '../../../src/simulator/schedules/random-delay.ts';
import { chiSquare } from '../../kernel/chi-square.ts';
import { eventsOf, testAlgorithm } from '../test-algorithm.ts';

const COUNT = 60_000;

/** One node sends many numbered messages to another at the same time. */
const stream = testAlgorithm({
  messages: { item: message(['number', counter(MAX_WORD)]) },
  onStart(_state, ctx) {
    for (let number = 0; number < COUNT; number++) ctx.send(0, 'item', number);
  },
});

function arrivals(schedule: 'random' | 'random:nofifo'): { number: number; delay: number; time: number }[] {
  const options = { ids: [1, 2], topology: 'line', initiators: [0], schedule } as const;
  return eventsOf(stream, options).flatMap((event) =>
    event.type === 'deliver'
      ? [{ number: event.message.number as number, delay: event.time - event.sent, time: event.time }]
      : [],
  );
}

describe('random delays', () => {
  test('are whole ticks from 0.05 to 3 units, with equal probability', () => {
    const ticks = arrivals('random:nofifo').map(({ delay }) => Math.round(delay * 1000));
    expect(ticks.length).toBe(COUNT);
    expect([Math.min(...ticks), Math.max(...ticks)]).toEqual([50, 3000]);
    const counts = Array(2951).fill(0);
    for (const delay of ticks) counts[delay - 50]++;
    expect(Math.abs(chiSquare(counts))).toBeLessThan(4);
  });

  test('never let a message overtake another on a FIFO link', () => {
    const numbers = arrivals('random').map(({ number }) => number);
    expect(numbers).toEqual([...Array(COUNT).keys()]);
  });

  test('let messages overtake on links without FIFO, and lose none', () => {
    const numbers = arrivals('random:nofifo').map(({ number }) => number);
    expect(numbers).not.toEqual([...Array(COUNT).keys()]);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([...Array(COUNT).keys()]);
  });

  test('never let time go backwards', () => {
    const times = arrivals('random').map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test.each([0, 4.095, 4.096, 10_000, 2_147_483.647, 2_147_483.648, 999_999_999])(
    'are the same after a pause until %d, however far from the start',
    (time) => {
      const echo = testAlgorithm({
        messages: { ball: message(['left', counter(9)]) },
        timers: ['rest'],
        onStart: (_state, ctx) => ctx.send(0, 'ball', 9),
        on: {
          ball(_state, _port, { left }, ctx) {
            if (left === 4) ctx.setTimer('rest', 7777.777);
            else if (left > 0) ctx.send(0, 'ball', left - 1);
          },
        },
        onTimer: (_state, _timer, ctx) => ctx.send(0, 'ball', 3),
      });
      const delays = (start: number) =>
        eventsOf(echo, {
          ids: [1, 2],
          topology: 'line',
          initiators: [{ position: 0, time: start }],
          schedule: 'random',
        }).flatMap((event) =>
          event.type === 'deliver' ? [Math.round((event.time - event.sent) * 1000)] : [],
        );
      expect(delays(time)).toHaveLength(10);
      expect(delays(time)).toEqual(delays(0));
    },
  );
});

/** The calls of a run to its schedule: sends on these links at some time; times never decrease. */
const anyUse = fc.record({
  start: fc.oneof(fc.nat(9000), fc.constantFrom(2 ** 31 - 3, 2 ** 32 - 5, 10 ** 12)),
  sends: fc.array(
    fc.record({ pause: fc.oneof(fc.constant(0), fc.nat(70), fc.nat(9000)), links: fc.array(fc.nat(2)) }),
    { maxLength: 30 },
  ),
  seed: fc.nat(),
  fifo: fc.boolean(),
});

interface Flying {
  readonly due: number;
  readonly order: number;
}

describe('the timing wheel', () => {
  test('agrees with a sorted list, at every alignment of its ticks', () => {
    fc.assert(
      fc.property(anyUse, ({ start, sends, seed, fifo }) => {
        const wheel = new RandomDelay(3, new Random(seed), 3, fifo, true, 1);
        const delays = new Random(seed);
        const latest = [0, 0, 0];
        const flying: Flying[] = [];
        const record = new Int32Array(3);
        let now = start;
        let sent = 0;

        const expectArrivalsUntil = (end: number) => {
          for (;;) {
            flying.sort((a, b) => a.due - b.due || a.order - b.order);
            const due = flying[0]?.due ?? Number.POSITIVE_INFINITY;
            expect(wheel.nextTime()).toBe(due);
            if (due > end || due === Number.POSITIVE_INFINITY) return;
            const expected = flying.filter((each) => each.due === due).map(({ order }) => order);
            flying.splice(0, expected.length);
            const got: number[] = [];
            for (let base = wheel.take(due); base >= 0; base = wheel.take(due))
              got.push(wheel.words[base + 2]);
            expect(got).toEqual(expected);
          }
        };

        for (const { pause, links } of sends) {
          expectArrivalsUntil(now + pause);
          now += pause;
          expect(wheel.take(now)).toBe(-1);
          for (const link of links) {
            address(record, 0, 0, link, 0);
            record[2] = sent;
            wheel.add(now, link, record, 0, 1);
            const drawn = now + MIN_DELAY + delays.below(MAX_DELAY - MIN_DELAY + 1);
            const due = fifo ? Math.max(drawn, latest[link]) : drawn;
            latest[link] = due;
            flying.push({ due, order: sent++ });
          }
        }
        expectArrivalsUntil(Number.POSITIVE_INFINITY);
      }),
      { numRuns: 400 },
    );
  });

  test('finds the next arrival from every tick to every other', () => {
    const record = new Int32Array(3);
    for (let start = 0; start < 4096; start += 7) {
      const wheel = new RandomDelay(3, new Random(start), 1, false, false, 1);
      wheel.add(start, 0, record, 0, 1);
      const due = wheel.nextTime();
      expect(due - start).toBe(MIN_DELAY + new Random(start).below(MAX_DELAY - MIN_DELAY + 1));
      expect(wheel.take(due)).toBeGreaterThanOrEqual(0);
      expect(wheel.nextTime()).toBe(Number.POSITIVE_INFINITY);
    }
  });
});
