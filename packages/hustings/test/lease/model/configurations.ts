/** The configurations that are searched, and their descriptions in docs/leases-checked.md. */
import { resolveTiming } from '../../../src/lease/core/timing.ts';
import type { Setting } from './setting.ts';

/** The shortest that an elector accepts, in units of 100 ms, with every deadline at a moment of its own. */
const SHORT = resolveTiming({
  ttlMs: 500,
  renewEveryMs: 100,
  requestTimeoutMs: 100,
  stopAfterMs: 300,
  killAfterMs: 400,
  stopGraceMs: 200,
});

/** It leads for longer than the other ttl. */
const LONG = resolveTiming({
  ttlMs: 900,
  renewEveryMs: 200,
  requestTimeoutMs: 100,
  stopAfterMs: 700,
  killAfterMs: 800,
  stopGraceMs: 200,
});

const WIDE = resolveTiming({
  ttlMs: 700,
  renewEveryMs: 100,
  requestTimeoutMs: 100,
  stopAfterMs: 300,
  killAfterMs: 500,
  stopGraceMs: 200,
});

/** It has time for one more renewal after one has timed out. */
const ROOMY = resolveTiming({ ...SHORT, ttlMs: 600, stopAfterMs: 400, killAfterMs: 500 });

/** Its work must report progress. */
const STALLING = resolveTiming({ ...SHORT, stallAfterMs: 100 });

const YIELDING = resolveTiming({ ...SHORT, yieldAfterMs: 200 });

const two: Setting = { timings: [SHORT, SHORT], hasClock: true, inFlight: [1, 1] };
/** One of two candidates that are otherwise alike has the bad clocks. */
const faultyClocks = [0];

/** At most 700,000 states each: `npm test` searches the first of them, `npm run test:long` all. */
export const CONFIGURATIONS = {
  plain: two,
  crashes: { ...two, lateTimers: true, crashes: true },
  storeErrors: { ...two, storeErrors: true, duplicates: true },
  wishes: { ...two, kills: true, releases: true, ends: true },
  evictions: { ...two, evictions: true },
  priorities: { ...two, timings: [YIELDING, YIELDING], priorities: [1, 2] },
  sleep: { ...two, suspends: true, faultyClocks },
  slow: { ...two, slow: 4, faultyClocks },
  clockless: { ...two, hasClock: false, lateTimers: true },
  'two ttls': { ...two, hasClock: false, timings: [LONG, SHORT] },
  forgets: { ...two, forgets: true },
  stalls: { ...two, timings: [STALLING, STALLING], stalls: true },
  alone: { timings: [ROOMY], hasClock: true, inFlight: [2], evictions: true },
} as const satisfies Readonly<Record<string, Setting>>;

/** For `npm run test:long`. */
export const LARGER = {
  jumps: { ...two, jumpsMs: [-500], faultyClocks },
  writes: { ...two, writes: 1 },
  'clock set back': { ...two, setsBack: true },
  'storeErrors, late': { ...two, lateTimers: true, storeErrors: true, duplicates: true },
  transfers: { ...two, transfers: true },
  draws: { ...two, lateTimers: true, draws: true },
  gone: { ...two, crashes: true, gone: true },
  notifications: { ...two, lateTimers: true, notifications: true },
  'two writes': { ...two, writes: 2 },
  'two under way': { ...two, inFlight: [2, 1] },
  'two under way, ends': { ...two, inFlight: [2, 1], ends: true },
  'clockless, operators': { ...two, hasClock: false, evictions: true, transfers: true },
  'clockless, wishes': { ...two, hasClock: false, kills: true, releases: true, ends: true },
  'clockless, gone': { ...two, hasClock: false, crashes: true, gone: true },
  'clockless, slow': { ...two, hasClock: false, slow: 4, faultyClocks },
  'clockless, sleep': { ...two, hasClock: false, suspends: true, faultyClocks },
  'clockless, two under way': { ...two, hasClock: false, inFlight: [2, 1] },
  'clockless, crashes': { ...two, hasClock: false, lateTimers: true, crashes: true },
  three: { timings: [SHORT, SHORT, SHORT], hasClock: true, inFlight: [1, 1, 1] },
  'three, crashes': { timings: [SHORT, SHORT, SHORT], hasClock: true, inFlight: [1, 1, 1], crashes: true },
  'clock set back, crashes': { ...two, setsBack: true, crashes: true },
  'forgets, writes': { ...two, forgets: true, writes: 1 },
  'other proportions': { ...two, timings: [WIDE, WIDE], lateTimers: true },
} as const satisfies Readonly<Record<string, Setting>>;

/** Candidates that cannot be told apart may be exchanged. */
export function areAlike({ timings, priorities, inFlight, faultyClocks }: Setting): boolean {
  return (
    new Set(timings).size === 1 &&
    new Set(inFlight).size === 1 &&
    priorities === undefined &&
    faultyClocks === undefined
  );
}

/** What may happen, as text. */
export function descriptionOf(setting: Setting): string[] {
  const {
    timings,
    hasClock,
    lateTimers,
    kills,
    slow,
    jumpsMs = [],
    writes = 0,
    inFlight,
    faultyClocks,
  } = setting;
  const whose = faultyClocks === undefined ? 'clocks' : 'the clocks of one candidate';
  const parts: [unknown, string][] = [
    [!hasClock, 'store without a clock'],
    [new Set(timings).size > 1, `ttls ${timings.map(({ ttlMs }) => `${ttlMs} ms`).join(' and ')}`],
    [timings.every((timing) => timing === WIDE), 'ttl 700 ms, margin 200 ms'],
    [timings.every((timing) => timing === ROOMY), 'ttl 600 ms'],
    [setting.setsBack, "the store's clock is set back"],
    [setting.forgets, 'the store loses its data'],
    [setting.stalls, 'work that stalls'],
    [lateTimers, 'timers late by any time'],
    [kills, 'overdue work is killed'],
    [setting.crashes, 'crashes and restarts'],
    [setting.gone, 'proved crashes'],
    [setting.storeErrors, 'failed calls'],
    [setting.duplicates, 'duplicated requests'],
    [setting.notifications, 'notifications'],
    [setting.releases, 'requests to stop or to release'],
    [setting.ends, 'work that returns'],
    [setting.evictions, 'evictions'],
    [setting.transfers, 'transfers'],
    [
      setting.suspends,
      `sleep: the monotonic clock of ${whose === 'clocks' ? 'a candidate' : 'one candidate'} stops`,
    ],
    [
      jumpsMs.length > 0,
      `the wall clock ${faultyClocks === undefined ? '' : 'of one candidate '}jumps ${jumpsMs.map((ms) => `${ms < 0 ? 'back' : 'forward'} by ${Math.abs(ms)} ms`).join(', ')}`,
    ],
    [slow, `${whose} lose one unit in ${slow}`],
    [setting.priorities, 'one candidate has a higher priority, and the other yields after 200 ms'],
    [setting.draws, 'random delays at their minimum or maximum'],
    [writes, `${writes === 1 ? 'a write' : `${writes} writes`} in flight to a fence`],
    [inFlight.some((most) => most > 1), `${Math.max(...inFlight)} messages in flight per candidate`],
  ];
  const words = parts.flatMap(([isAllowed, text]) => (isAllowed ? [text] : []));
  return words.length === 0 ? ['nothing else'] : words;
}
