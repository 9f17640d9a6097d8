import { describe, expect, test } from 'vitest';
import { leaseScene, rowIds } from '../../../src/model/leases/lease-timeline.ts';
import { demoWith, electionAt, term } from './election.ts';

const WINDOW = { nowMs: 100_000, windowMs: 60_000, width: 900 };

describe('the timeline of leases', () => {
  const election = electionAt(
    100,
    term(4, 'w3', 90),
    term(3, 'w1', 70, 85, 'expired'),
    term(2, 'w2', 50, 70, 'gone'),
    term(1, 'w4', 10, 30, 'released'),
  );

  test('has a bar for each term of the window, in the row of its holder, from its start to its end', () => {
    const scene = leaseScene(election, demoWith(), WINDOW);
    expect(scene.rows.map(({ id }) => id)).toEqual(['w1', 'w2', 'w3', 'w4', 'w5']);
    expect(scene.bars.map(({ token }) => token.slice(-1))).toEqual(['4', '3', '2']);
    for (const bar of scene.bars) {
      const [{ holder, startMs, endMs }] = election.terms.filter(({ token }) => token === bar.token);
      expect(scene.timeAt(bar.x)).toBeCloseTo(startMs, 3);
      expect(scene.timeAt(bar.x + bar.width)).toBeCloseTo(endMs ?? 100_000, 3);
      expect(bar.y + bar.height / 2).toBe(scene.rows.find(({ id }) => id === holder)?.y);
    }
    expect(scene.timeAt(scene.nowX)).toBe(100_000);
  });

  test('only the current term has a rest, as long as what is left by the store’s clock', () => {
    const [current, ...past] = leaseScene(election, null, WINDOW).bars;
    expect(current).toMatchObject({ isCurrent: true });
    const scene = leaseScene(election, null, WINDOW);
    expect(scene.timeAt(current.x + current.width + current.restWidth)).toBeCloseTo(102_000, 3);
    expect(past.every(({ isCurrent, restWidth }) => !isCurrent && restWidth === 0)).toBe(true);
  });

  test('a term that began before the window is cut at its edge', () => {
    const scene = leaseScene(electionAt(100, term(1, 'w1', 3)), null, WINDOW);
    expect(scene.bars[0].x).toBe(scene.left);
    expect(scene.timeAt(scene.bars[0].x)).toBe(40_000);
  });

  test('shows a pause over the bar and beyond it, a kill, a restart, and the late write at its time', () => {
    const demo = {
      ...demoWith(['w2', 'killed', 70], ['w1', 'paused', 80], ['w2', 'restarted', 82], ['w1', 'resumed', 95]),
    };
    const write = {
      ...{ index: 9, token: election.terms[1].token, id: 'w1', entry: 3, atMs: 95_000 },
      newest: election.terms[0].token,
    };
    const ledger = { ...demo.ledger, refused: 1, notable: [{ ...write, outcome: 'refused' as const }] };
    const file = { ...demo.file, late: 1, notable: [{ ...write, outcome: 'late' as const }] };
    const scene = leaseScene(election, { ...demo, ledger, file }, WINDOW);
    const [paused] = scene.spans.filter(({ type }) => type === 'paused');
    expect(paused.holding).toBe(true);
    expect([paused.x, paused.x + paused.width].map((x) => Math.round(scene.timeAt(x)))).toEqual([
      80_000, 95_000,
    ]);
    const [gone] = scene.spans.filter(({ type }) => type === 'gone');
    expect([gone.x, gone.x + gone.width].map((x) => Math.round(scene.timeAt(x)))).toEqual([70_000, 82_000]);
    const marks = scene.marks.map(({ type, x }) => [type, Math.round(scene.timeAt(x))]);
    expect(new Set(marks)).toEqual(
      new Set([
        ['refused', 95_000],
        ['late', 95_000],
        ['killed', 70_000],
        ['restarted', 82_000],
      ]),
    );
    const texts = scene.labels.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['late write refused', 'expired, paused', 'killed']));
    // The end of a term says it already.
    expect(texts).not.toContain('paused');
  });

  test('labels of a row do not overlap, and a narrow scene has none', () => {
    const terms = Array.from({ length: 20 }, (_, at) =>
      term(20 - at, 'w1', 98 - 2 * at, 99 - 2 * at, 'released'),
    );
    const scene = leaseScene(electionAt(100, term(21, 'w2', 99), ...terms), null, WINDOW);
    const boxes = scene.labels.map(({ text, x, y, anchor }) => {
      const width = text.length * 6;
      return anchor === 'end' ? { y, from: x - width, to: x } : { y, from: x, to: x + width };
    });
    const overlap = boxes.some((a, at) =>
      boxes.slice(at + 1).some((b) => a.y === b.y && a.from < b.to && b.from < a.to),
    );
    expect(overlap).toBe(false);
    expect(boxes.length).toBeGreaterThan(3);
    expect(leaseScene(election, demoWith(['w1', 'paused', 80]), { ...WINDOW, width: 340 }).labels).toEqual(
      [],
    );
  });

  test('the rows of a user’s store are those that led in the window or wait, at most twelve', () => {
    expect(rowIds(election, null, WINDOW)).toEqual(['w1', 'w2', 'w3', 'w5']);
    const many = Array.from({ length: 30 }, (_, at) => term(30 - at, `r${at}`, 98 - at, 99 - at, 'released'));
    expect(rowIds(electionAt(100, ...many), null, WINDOW)).toHaveLength(12);
  });

  test('a lease that is longer than the window leaves most of the room to the past', () => {
    const { leader, ...rest } = election;
    const long = { ...rest, leader: { ...leader, remainingMs: 600_000 } } as typeof election;
    const scene = leaseScene(long, null, WINDOW);
    expect(scene.nowX - scene.left).toBeGreaterThan(0.75 * (scene.width - scene.left));
    const [{ x, width, restWidth }] = scene.bars;
    expect(x + width + restWidth).toBeLessThanOrEqual(scene.width);
  });

  test('bars stay inside the scene at every width', () => {
    for (const width of [280, 560, 1600]) {
      const scene = leaseScene(election, demoWith(), { ...WINDOW, width });
      for (const { x, width: barWidth, restWidth } of scene.bars) {
        expect(x).toBeGreaterThanOrEqual(scene.left);
        expect(x + barWidth + restWidth).toBeLessThanOrEqual(width);
      }
    }
  });
});
