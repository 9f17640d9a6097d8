import { expect, it } from 'vitest';
import { leadClock } from '../../src/runtime/lead-clock.ts';

/** The clock after each pair of advances. */
function readings(advances: readonly (readonly [monoMs: number, wallMs: number])[]): number[] {
  let mono = 0;
  let wall = 1_000_000;
  const now = leadClock(
    () => mono,
    () => wall,
  );
  return advances.map(([monoMs, wallMs]) => {
    mono += monoMs;
    wall += wallMs;
    return now();
  });
}

it('goes on through a sleep of the machine, also after the wall clock was set back', () => {
  expect(
    readings([
      [100, 100],
      [0, 5_000],
      [100, 100],
    ]),
  ).toEqual([100, 5_100, 5_200]);
  expect(
    readings([
      [100, -3_600_000],
      [100, 5_100],
      [100, 100],
    ]),
  ).toEqual([100, 5_200, 5_300]);
});

it('is not driven ahead by the resolution of the wall clock', () => {
  const jitter = Array.from({ length: 1_000 }, (_, i) => [1, i % 2 === 0 ? 2 : 0] as const);
  expect(readings(jitter).at(-1)).toBe(1_000);
});
