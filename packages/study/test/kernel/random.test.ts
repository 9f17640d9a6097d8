import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/kernel/errors.ts';
import { Random } from '../../src/kernel/random.ts';
import { chiSquare } from './chi-square.ts';

const words = (random: Random, count: number) => Array.from({ length: count }, () => random.next32());

describe('the generator', () => {
  test('gives the published words of xoshiro128** 1.1 from the state 1, 2, 3, 4', () => {
    expect(words(Random.fromState(1, 2, 3, 4), 10)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  test('gives the same words for the same seed and stream, on every machine and in every version', () => {
    expect(words(new Random(42, 'order'), 4)).toEqual(words(new Random(42, 'order'), 4));
    expect(words(new Random(42, 'order'), 4)).toMatchInlineSnapshot(`
      [
        2860597539,
        2066414070,
        432173944,
        3441045329,
      ]
    `);
  });

  test('gives unrelated words for different streams of one seed', () => {
    const streams = ['', 'order', 'delay', 'faults', 'draws', 'topology', 'o', 'order\0', 'redro'];
    fc.assert(
      fc.property(fc.maxSafeNat(), (seed) => {
        const starts = streams.map((stream) => words(new Random(seed, stream), 2).join());
        expect(new Set(starts).size).toBe(streams.length);
      }),
    );
  });

  test('uses both halves of the seed: neighbouring seeds and seeds that differ only above bit 32 differ', () => {
    const seeds = [
      0,
      1,
      2,
      2 ** 32,
      2 ** 32 + 1,
      2 ** 33,
      2 ** 52,
      2 ** 53 - 1,
      2 ** 53 - 2,
      2 ** 31,
      2 ** 31 - 1,
    ];
    const starts = seeds.map((seed) => words(new Random(seed), 2).join());
    expect(new Set(starts).size).toBe(seeds.length);
  });

  test('shares no bit between consecutive seeds or two streams more often than random', () => {
    let equalBits = 0;
    for (let seed = 0; seed < 2000; seed++) {
      const differing = new Random(seed, 'order').next32() ^ new Random(seed + 1, 'order').next32();
      const between = new Random(seed, 'order').next32() ^ new Random(seed, 'delay').next32();
      for (let bit = 0; bit < 32; bit++) equalBits += ((~differing >>> bit) & 1) + ((~between >>> bit) & 1);
    }
    // 128 000 fair coins: six standard deviations are 1073.
    expect(Math.abs(equalBits - 64_000)).toBeLessThan(1073);
  });

  test('never starts in the all-zero state', () => {
    expect(() => Random.fromState(0, 0, 0, 0)).toThrow(InputError);
    expect(words(new Random(0), 4).some((word) => word !== 0)).toBe(true);
  });

  test.each([-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d as a seed', (seed) => {
    expect(() => new Random(seed)).toThrow(/seed must be a whole number from 0 to 9007199254740991/);
  });
});

describe('below', () => {
  test.each([2, 3, 7, 10, 64, 100])('is uniform over %d values', (k) => {
    const random = new Random(7, `below ${k}`);
    const counts = new Array<number>(k).fill(0);
    for (let i = 0; i < 1000 * k; i++) counts[random.below(k)]++;
    expect(chiSquare(counts)).toBeLessThan(4);
  });

  test('is uniform where a remainder alone would be biased: k = 3 · 2^30', () => {
    // Without rejection the lowest 2^30 values occur twice as often: half of all draws instead of a third.
    const random = new Random(8);
    const counts = [0, 0, 0];
    for (let i = 0; i < 30_000; i++) counts[Math.floor(random.below(3 * 2 ** 30) / 2 ** 30)]++;
    expect(chiSquare(counts)).toBeLessThan(4);
  });

  test('stays in range for every k', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 2 ** 32 - 1 }), (seed, k) => {
        const drawn = new Random(seed).below(k);
        expect(Number.isInteger(drawn) && drawn >= 0 && drawn < k).toBe(true);
      }),
    );
  });

  test.each([0, -1, 1.5, 2 ** 53, Number.NaN])('refuses to draw below %d', (k) => {
    expect(() => new Random(1).below(k)).toThrow(InputError);
  });
});

describe('unit, chance and shuffle', () => {
  test('unit is uniform on [0, 1)', () => {
    const random = new Random(9);
    const counts = new Array<number>(20).fill(0);
    for (let i = 0; i < 20_000; i++) {
      const drawn = random.unit();
      expect(drawn >= 0 && drawn < 1).toBe(true);
      counts[Math.floor(drawn * 20)]++;
    }
    expect(chiSquare(counts)).toBeLessThan(4);
  });

  test('chance is never true at 0, always true at 1, and uses equally many words at every p', () => {
    const ends = [0, 0.3, 1].map((p) => {
      const random = new Random(10);
      const truths = Array.from({ length: 1000 }, () => random.chance(p)).filter(Boolean).length;
      return { truths, next: random.next32() };
    });
    expect(ends[0].truths).toBe(0);
    expect(Math.abs(ends[1].truths - 300)).toBeLessThan(75);
    expect(ends[2].truths).toBe(1000);
    expect(new Set(ends.map((end) => end.next)).size).toBe(1);
  });

  test('shuffle gives each of the 24 orders of four equally often', () => {
    const random = new Random(11);
    const counts = new Map<string, number>();
    for (let i = 0; i < 24_000; i++) {
      const order = Int32Array.of(0, 1, 2, 3);
      random.shuffle(order);
      counts.set(order.join(), (counts.get(order.join()) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    expect(chiSquare([...counts.values()])).toBeLessThan(4);
  });
});
