/** Sun as Shirali et al. print it: counts, lengths, steps and latencies. */

import { formatFigure } from '@hustings/base';
import { divided, ringList, sun } from '@hustings/study/algorithms';
import type { Run } from '@hustings/study/simulator';
import { type Study, study, verdictOf } from '../claim.ts';
import { ascending } from '../every-order.ts';
import { follows, stated } from '../origin.ts';
import { numbered } from '../parameter-grid.ts';
import { everyRunStudy } from '../run-study.ts';
import { printedAlgorithm } from '../search.ts';
import { SHIRALI } from '../sources.ts';
import { collisions, division, divisions, latency, lengths, sum } from './divisions.ts';

const paperCount: Study = everyRunStudy(printedAlgorithm('sun-as-printed'), {
  id: 'sun/paper-count',
  origin: stated([SHIRALI, 'section 5, lines 158–160'], [SHIRALI, 'table 2, line 263']),
  says: 'Sun(d) costs 2·ΣL_i + L_r messages: 172 for S(2) with n = 64 and u = 4',
  method: 'exact count',
  *grid(experiment) {
    yield division(64, 4, 2);
    for (const { n, u, depth } of divisions(experiment.some(32, 64))) yield division(n, u, depth);
  },
  wrong({ n, messages: { total } }, { options }) {
    const rings = lengths(n, Number(options.set?.u), Number(options.set?.depth));
    const claimed = 2 * sum(rings) + rings[rings.length - 1];
    return total === claimed ? undefined : `${total}, not ${claimed}`;
  },
  confirmed: (runs) =>
    `holds in ${formatFigure(runs)} divisions of the algorithm as printed; 172 for S(2) with 64 nodes`,
  why: 'as printed, a node on several rings passes the election on to all of them as soon as it receives it (lines 104–105), and nodes between ring 1 and ring r do not report. The count is right, but the result may be wrong: the next claim',
});

const printedSun: Study = study({
  id: 'sun/as-printed',
  origin: follows([SHIRALI, 'section 4, lines 104–110'], [SHIRALI, 'section 5, lines 148–157']),
  says: 'Sun(2) finds the largest id with the steps that are listed',
  method: 'one run',
  measure(experiment) {
    const printed = printedAlgorithm('sun-as-printed');
    const { nodes: n, ...options } = division(64, 4, 2);
    const elect = (ids: readonly number[]): Run => experiment.run(printed, { ...options, ids });
    // The node at each place has the largest id once. If it does not win, it was not read.
    const unread = ascending(n)
      .map((place) => place - 1)
      .filter((place) => {
        const ids = ascending(n).map((_, at) => ((at - place - 1 + 2 * n) % n) + 1);
        return elect(ids).outcome().leader?.position !== place;
      });
    const read = ascending(n)
      .map((place) => place - 1)
      .filter((place) => !unread.includes(place));
    const ids: number[] = [];
    [...read, ...unread].forEach((place, rank) => {
      ids[place] = rank + 1;
    });
    const run = elect(ids);
    const { leader, messages } = run.outcome();
    const complete = experiment.outcome(sun, { ...options, ids });
    return {
      verdict: verdictOf(unread.length === 0),
      measured: `as printed, ${messages.total} messages leave ${unread.length} of ${n} nodes unread: with the largest ids there, ${leader?.id} leads instead of ${n}`,
      why: `correct for d = 1. For d = 2 parts of the ring end at nodes that are not on ring r and do not report. With ${complete.messages.byType.gather} gather messages more, ${complete.messages.total} in all, ${complete.leader?.id} leads`,
      replay: run.plan.replay,
    };
  },
});

/** Nothing of the inner ring is left, or the informer is missing. */
const fallback: Study = study({
  id: 'sun/fallback',
  origin: stated([SHIRALI, 'line 28']),
  says: 'if Sun or Divided does not work, the original ring algorithm is carried out',
  method: 'one run',
  measure(experiment) {
    const inner = [0, 4, 8, 12].map((position) => ({ position, time: 0 }));
    const run = experiment.run(sun, {
      nodes: 16,
      order: 'ascending',
      initiators: [1],
      crash: inner,
      set: { u: 4 },
    });
    const { leader, messages } = run.outcome();
    const other = experiment.outcome(divided, { ...division(16, 4, 1), crash: [{ position: 16, time: 0 }] });
    const onRing = other.messages.byType.token + other.messages.byType.coordinator;
    return {
      verdict: verdictOf(leader?.id === 16 && messages.announcement === 12 && onRing === 32),
      measured: `Divided without its informer: ${onRing} messages on a ring of 16, as the ring algorithm. Sun with all four nodes of its inner ring crashed: ${leader?.id} leads, announced by ${messages.announcement} messages to the 12 nodes that are left`,
      why: 'the paper has a rule for Divided (line 220) and none for Sun; the rule for Sun is ours, R10 of sun.ts',
      replay: run.plan.replay,
    };
  },
});

const exponent: Study = study({
  id: 'sun/exponent',
  origin: stated([SHIRALI, 'section 5, line 162'], [SHIRALI, 'table 1, line 253']),
  says: 'Sun(n) costs 2·ΣL_i + L_r messages with L_i = L/u^i, i from 1 to r',
  method: 'formula',
  measure(experiment) {
    const [n, u, depth] = [64, 4, 2];
    const printedLengths = ascending(depth + 1).map((i) => n / u ** i);
    const printed = 2 * sum(printedLengths) + printedLengths[depth];
    const run = experiment.run(sun, division(n, u, depth));
    const { total, byType } = run.outcome().messages;
    return {
      verdict: verdictOf(printed === total - byType.gather),
      measured: `n = 64, u = 4, r = 3: the formula gives ${printed}; the run has ${total}, of which ${total - byType.gather} are those that the paper counts`,
      why: 'an index slip: the first ring has all nodes, so L_i is L/u^(i−1), which gives 172',
      replay: run.plan.replay,
    };
  },
});

const ringLengths: Study = study({
  id: 'sun/lengths',
  origin: stated([SHIRALI, 'section 5, lines 139–141']),
  says: 'each ring is u times shorter than the one around it: for L_1 = 128 and u = 4 the lengths are L_2 = 64, L_3 = 16 and L_4 = 4',
  method: 'formula',
  measure(experiment) {
    const [n, u] = [128, 4];
    const run = experiment.run(sun, division(n, u, 1));
    const second = run.outcome().messages.announcement - n;
    return {
      verdict: verdictOf(second === 64),
      measured: `L_2 = ${second}: the announcement on two rings takes ${run.outcome().messages.announcement} = 128 + ${second} messages`,
      why: `128/4 is 32, not 64, and 128 is no power of 4; the lengths are ${lengths(n, u, 3).join(', ')}. The printed ones are those of L_1 = 256`,
      replay: run.plan.replay,
    };
  },
});

const eightSteps: Study = study({
  id: 'sun/eight-steps',
  origin: stated([SHIRALI, 'section 5, lines 148–158']),
  says: 'Sun(2) has the 8 steps that are listed: election on R3, R2 and R1, M-coordinator on R3, coordinator on R3, R2 and R1',
  method: 'one run',
  measure(experiment) {
    const listed = ['election R3', 'election R2', 'election R1', 'M-coordinator R3'];
    const announced = ['coordinator R3', 'coordinator R2', 'coordinator R1'];
    const [n, u, depth] = [64, 4, 2];
    const found = new Set<string>();
    const run = experiment.run(sun, {
      ...division(n, u, depth),
      observe: (event) => {
        if (event.type !== 'send') return;
        const step = (event.to - event.node + n) % n;
        found.add(`${event.message.type} R${1 + Math.round(Math.log(step) / Math.log(u))}`);
      },
    });
    const missing = [...found].filter((step) => ![...listed, ...announced].includes(step));
    return {
      verdict: verdictOf(missing.length === 0 && listed.length + announced.length === 8),
      measured: `${listed.length + announced.length} are listed; a run that reads all nodes has ${found.size}: ${missing.join(', ')} is not listed`,
      why: 'the missing step is the one without which nodes stay unread',
      replay: run.plan.replay,
    };
  },
});

/** A latency of the paper against runs of all divisions; the finding shows that of 64 nodes with u = 4. */
function latencyStudy(
  claim: { readonly id: string; readonly at: string; readonly says: string; readonly why: string },
  depths: (depth: number) => boolean,
  shown: number,
  claimed: (rings: readonly number[], u: number, depth: number) => number,
): Study {
  return study({
    id: claim.id,
    origin: stated([SHIRALI, claim.at]),
    says: claim.says,
    method: 'exact count',
    measure(experiment) {
      let [runs, equal] = [0, 0];
      for (const { n, u, depth } of divisions(experiment.some(24, 48))) {
        if (!depths(depth)) continue;
        runs++;
        if (latency(experiment.run(sun, division(n, u, depth))) === claimed(lengths(n, u, depth), u, depth))
          equal++;
      }
      const run = experiment.run(sun, division(64, 4, shown));
      return {
        verdict: verdictOf(equal === runs),
        measured: `${latency(run)} for n = 64 and u = 4; the formula gives ${claimed(lengths(64, 4, shown), 4, shown)}; equal in ${equal} of ${runs} divisions`,
        why: claim.why,
        replay: run.plan.replay,
      };
    },
  });
}

const latencies: Study[] = [
  everyRunStudy(sun, {
    id: 'sun/one-level',
    origin: stated([SHIRALI, 'section 4, lines 112–118']),
    says: 'Sun(1) with m nodes on the inner ring costs (m+n) + m + (m+n) messages',
    method: 'exact count',
    grid: (experiment) =>
      [...divisions(experiment.some(32, 64))]
        .filter(({ depth }) => depth === 1)
        .map(({ n, u, depth }) => division(n, u, depth)),
    wrong({ n, messages: { total } }, { options }) {
      const m = n / Number(options.set?.u);
      return total === 2 * (m + n) + m ? undefined : `${total}, not ${2 * (m + n) + m}`;
    },
    confirmed: (runs) => `holds in ${formatFigure(runs)} divisions`,
  }),
  latencyStudy(
    {
      id: 'sun/one-level-latency',
      at: 'section 4, lines 120–127',
      says: 'the latency of Sun(1) is 4m + 2n/m, for m nodes on the inner ring',
      why: 'the four steps above the formula add up to 3m + 2n/m, 56; and each subring starts one hop before its ring closes, which saves 2',
    },
    (depth) => depth === 1,
    1,
    ([n, m]) => 4 * m + (2 * n) / m,
  ),
  latencyStudy(
    {
      id: 'sun/latency',
      at: 'section 5, lines 168–180',
      says: 'the latency of Sun(d) is 3·L_r + 2(r−1)u',
      why: 'each subring starts one hop before its ring closes: the latency is 3·L_r + 2(r−1)(u−1)',
    },
    () => true,
    2,
    (rings, u, depth) => 3 * rings[depth] + 2 * depth * u,
  ),
  study({
    id: 'sun/tradeoff',
    origin: stated([SHIRALI, 'section 4, line 100']),
    says: 'Sun(1) needs no fewer messages than the ring algorithm, and its latency is smaller',
    method: 'exact count',
    measure(experiment) {
      let [runs, fewer, undivided] = [0, 0, 0];
      const slower: string[] = [];
      for (const { n, u, depth } of divisions(experiment.some(40, 64))) {
        if (depth > 1) continue;
        const isDivided = n > 4 && u < n;
        const run = experiment.run(sun, division(n, u, depth));
        const ring = experiment.run(ringList, { nodes: n, initiators: [0] });
        runs++;
        if (run.outcome().messages.total < ring.outcome().messages.total) fewer++;
        const [own, other] = [latency(run), latency(ring)];
        if (own < other) continue;
        if (isDivided) slower.push(`${own} instead of ${other} for n = ${n}, u = ${u}`);
        else undivided++;
      }
      return {
        verdict: verdictOf(fewer === 0 && slower.length === 0),
        measured: `more messages in ${runs - fewer} of ${runs} divisions; smaller latency in all that have n > 4 and two subrings or more${slower.length === 0 ? '' : `, but ${slower[0]}`}`,
        why: `in ${undivided} divisions with one subring or n ≤ 4 the latency is not smaller`,
      };
    },
  }),
  everyRunStudy(sun, {
    id: 'sun/several',
    origin: stated([SHIRALI, 'section 4, lines 129–133']),
    says: 'if several processes detect the crash, rules for several informers keep the result consistent',
    method: 'share of runs',
    grid: (experiment) =>
      numbered(experiment, experiment.some(80, 500), (index) => ({
        nodes: 16,
        initiators: { random: 2 + (index % 5) },
        crash: 'none',
        schedule: index % 2 === 0 ? 'lockstep' : 'random',
        set: { u: 2, depth: 1 + (index % 3), successors: 2, timeout: 6 },
      })),
    wrong: ({ n, leader }) => (leader?.id === n ? undefined : `${leader?.id} leads`),
    confirmed: (runs) =>
      `the largest of 16 leads, known to all nodes, in ${formatFigure(runs)} elections with 2 to 6 detectors`,
    why: 'the paper lets the largest informer win; here the largest term wins',
  }),
];

export const sunStudies: readonly Study[] = [
  paperCount,
  printedSun,
  fallback,
  exponent,
  ringLengths,
  eightSteps,
  ...latencies,
  collisions('sun/collisions', 'section 5, line 182', sun, 'Sun'),
];
