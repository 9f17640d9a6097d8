import { expect, test } from 'vitest';
import { PeerDetector } from '../../src/detector/peer-detector.ts';
import { detectorLimits, negLog10Tail, PhiAccrual } from '../../src/detector/phi-accrual.ts';
import { simulateDetector } from './detector-simulation.ts';

const limits = detectorLimits({ heartbeatMs: 100 });

function heardEvery(gapMs: number, times: number): { phi: PhiAccrual; nowMs: number } {
  const phi = new PhiAccrual(limits, 0);
  for (let k = 0; k <= times; k++) phi.hear(k * gapMs);
  return { phi, nowMs: times * gapMs };
}

test('the tail of the normal distribution agrees with published values', () => {
  // Q(0) = 0.5, Q(0.5) = 0.308537539, Q(1) = 0.158655254, Q(3) = 1.349898e-3, Q(6) = 9.865876e-10, Q(−2) = 0.977249868
  const published: [number, number][] = [
    [0, 0.5],
    [0.5, 0.308537539],
    [1, 0.158655254],
    [3, 1.349898e-3],
    [6, 9.865876e-10],
    [-2, 0.977249868],
  ];
  for (const [z, q] of published) expect(10 ** -negLog10Tail(z)).toBeCloseTo(q, 9);
  expect(negLog10Tail(6)).toBeCloseTo(-Math.log10(9.865876e-10), 6);
  // Far out it neither underflows nor stops growing.
  expect(negLog10Tail(100)).toBeGreaterThan(negLog10Tail(99));
});

test('suspicion grows with silence, and the gaps of a slow peer make it more patient', () => {
  const quick = heardEvery(100, 50);
  const slow = heardEvery(400, 50);
  expect(quick.phi.phi(quick.nowMs + 300)).toBeGreaterThan(quick.phi.phi(quick.nowMs + 200));
  expect(quick.phi.suspects(quick.nowMs + 600)).toBe(true);
  expect(slow.phi.suspects(slow.nowMs + 600)).toBe(false);
});

test('no silence below the floor is suspicious, every silence from the ceiling on is', () => {
  const { phi, nowMs } = heardEvery(100, 50);
  expect(phi.phi(nowMs + 499)).toBeGreaterThan(8);
  expect(phi.suspects(nowMs + 499)).toBe(false);
  const wild = new PhiAccrual(limits, 0);
  for (let k = 0, at = 0; k < 50; k++, at += k % 2 === 0 ? 60 : 1_500) wild.hear(at);
  const silent = new PhiAccrual(limits, 0);
  expect(silent.suspects(1_999)).toBe(false);
  expect(silent.suspects(2_000)).toBe(true);
});

test('a burst after a stall does not shorten the gaps that are expected', () => {
  const { phi, nowMs } = heardEvery(400, 50);
  for (let k = 0; k < 200; k++) phi.hear(nowMs + k);
  expect(phi.suspects(nowMs + 200 + 600)).toBe(false);
});

test('the gap that ended a suspicion is not a sample', () => {
  const { phi, nowMs } = heardEvery(100, 300);
  const before = phi.phi(nowMs + 300);
  phi.hear(nowMs + 1_000_000);
  expect(phi.phi(nowMs + 1_000_300)).toBeCloseTo(before, 6);
});

test('a process that was stopped suspects nobody when it resumes, and detects a crash afterwards', () => {
  const detector = new PeerDetector(limits, [2, 3], 0);
  let nowMs = 0;
  for (; nowMs < 5_000; nowMs += 50) {
    detector.poll(nowMs);
    if (nowMs % 100 === 0) for (const peer of [2, 3]) detector.hear(peer, nowMs);
  }
  nowMs += 60_000;
  expect(detector.poll(nowMs)).toEqual([]);
  detector.hear(2, nowMs);
  const found: number[] = [];
  for (let k = 0; k < 20; k++) {
    nowMs += 50;
    found.push(...detector.poll(nowMs).map(({ peer }) => peer));
    detector.hear(2, nowMs);
  }
  expect(found).toEqual([3]);
  expect(detector.hears()).toEqual([2]);
});

test('limits that exclude each other are refused', () => {
  expect(() => detectorLimits({ heartbeatMs: 100, floorMs: 50 })).toThrow(
    'heartbeatMs ≤ floorMs ≤ ceilingMs',
  );
  expect(() => detectorLimits({ heartbeatMs: 0 })).toThrow('heartbeatMs must be a positive number, not 0');
});

const RUN = { seed: 7, hours: 1, delayMs: 5, loss: 0, pausesPerHour: 0, pauseMs: 0, stopsPerHour: 0 };

test('one hour of delays, lost heartbeats, short pauses and own stops: no false suspicion, and a crash is found', () => {
  const faults = { ...RUN, loss: 0.01, pausesPerHour: 60, pauseMs: 50, stopsPerHour: 20 };
  const report = simulateDetector({ heartbeatMs: 100 }, faults);
  process.stdout.write(`detector, seed ${faults.seed}, 1 h: ${JSON.stringify(report)}\n`);
  expect(report.heartbeats).toBeGreaterThan(30_000);
  expect(report.falseSuspicions).toBe(0);
  expect(report.detectedAfterMs).toBeLessThanOrEqual(2_000);
});
