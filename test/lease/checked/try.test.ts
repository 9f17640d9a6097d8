import { it } from 'vitest';
import { search } from '../../../src/checker/search.ts';
import { StateStore } from '../../../src/checker/state-store.ts';
import { describeRun } from '../../../src/checker/counterexample.ts';
import { resolveTiming } from '../../../src/lease/core/timing.ts';
import { LeaseSystem } from './lease-system.ts';
import type { Setting } from './setting.ts';
const T = resolveTiming({ ttlMs: 500, renewMs: 100, requestMs: 100, softMs: 300, hardMs: 400, graceMs: 200 });
const sets: Record<string, Setting> = {
  bare: { timings: [T, T], hasClock: true, line: 1 },
  late: { timings: [T, T], hasClock: true, line: 1, late: true },
  crash: { timings: [T, T], hasClock: true, line: 1, late: true, crashes: true },
  gone: { timings: [T, T], hasClock: true, line: 1, late: true, crashes: true, gone: true },
  line2: { timings: [T, T], hasClock: true, line: 2, late: true },
};
const which = (process.env.SETS ?? 'bare').split(',');
for (const name of which) it(name, { timeout: 600000 }, () => {
  const system = new LeaseSystem(sets[name]);
  const t = performance.now();
  const r = search(system, new StateStore(system.width), { states: Number(process.env.MAX ?? 1e6), bytes: 1e9 });
  console.log(name, 'states', r.seen.count, 'searched', r.searched, 'trans', r.transitions, 'levels', r.levels.length, 'ms', Math.round(performance.now() - t), 'stations', system.desks.map((d) => d.stations.all.length), 'halls', system.halls.all.length, r.finding);
  if (r.finding) console.log(describeRun(system, r, r.finding).join('\n'));
});
