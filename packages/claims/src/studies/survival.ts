/** Peterson on a bidirectional ring: which nodes survive a phase. */

import { formatFigure } from '@hustings/base';
import { petersonBidirectional } from '@hustings/study/algorithms';
import { type Study, study, verdictOf } from '../claim.ts';
import { ascending, everyOrder } from '../every-order.ts';
import type { Experiment } from '../experiment.ts';
import { stated } from '../origin.ts';
import { refutedBy } from '../run-study.ts';
import { mayBe, sampleOf, showInterval } from '../sample.ts';
import { KARNAPKE } from '../sources.ts';

/** Runs an election; the ids that are active at the start of each phase, by position. */
function activeIds(experiment: Experiment, ids: readonly number[]) {
  const phases: { readonly node: number; readonly id: number }[][] = [];
  const sent = new Map<number, number>();
  const run = experiment.run(petersonBidirectional, {
    ids,
    observe: (event) => {
      // An active node sends its own id to its previous neighbour once in each phase; the others only forward.
      if (event.type !== 'send' || event.message.type !== 'id' || event.port !== 0) return;
      const { node } = event;
      const id = Number(event.message.id);
      if (ids[node] !== id) return;
      const phase = sent.get(id) ?? 0;
      sent.set(id, phase + 1);
      phases[phase] ??= [];
      phases[phase].push({ node, id });
    },
  });
  for (const phase of phases) phase.sort((one, other) => one.node - other.node);
  return { run, phases };
}

function* shuffled(experiment: Experiment, n: number, runs: number): Generator<number[]> {
  const random = experiment.random(`survival ${n}`);
  for (let index = 0; index < runs; index++) {
    const ids = ascending(n);
    for (let at = n - 1; at > 0; at--) {
      const other = random.below(at + 1);
      [ids[at], ids[other]] = [ids[other], ids[at]];
    }
    yield ids;
  }
}

const firstPhase: Study = {
  claims: [
    {
      id: 'peterson-bidirectional/third',
      origin: stated([KARNAPKE, 'slide 31, lines 489–495']),
      says: 'on average a third of all nodes survives the first phase',
      method: 'every order',
    },
    {
      id: 'peterson-bidirectional/survival-table',
      origin: stated([KARNAPKE, 'slide 31, lines 478–485']),
      says: 'the i-th smallest id survives the first phase with probability (i−1)(i−2)/((n−1)(n−2))',
      method: 'every order',
    },
  ],
  measure(experiment) {
    const n = experiment.some(6, 7);
    const survived = new Array<number>(n + 1).fill(0);
    let orders = 0;
    for (const ids of everyOrder(n)) {
      orders++;
      for (const { id } of activeIds(experiment, ids).phases[1]) survived[id]++;
    }
    const sum = survived.reduce((all, each) => all + each, 0);
    const equal = ascending(n).filter(
      (i) => survived[i] * (n - 1) * (n - 2) === orders * (i - 1) * (i - 2),
    ).length;
    const over = `all ${formatFigure(orders)} orders of ${n} ids`;
    return [
      {
        verdict: verdictOf(3 * sum === n * orders),
        measured: `${formatFigure(sum)} of ${formatFigure(n * orders)} nodes survive, over ${over}`,
      },
      {
        verdict: verdictOf(equal === n),
        measured: `equal for ${equal} of ${n} ids, over ${over}`,
        table: {
          columns: ['i', '(i−1)(i−2)/((n−1)(n−2))', 'share of orders'],
          rows: ascending(n).map((i) => [
            String(i),
            (((i - 1) * (i - 2)) / ((n - 1) * (n - 2))).toFixed(4),
            (survived[i] / orders).toFixed(4),
          ]),
        },
      },
    ];
  },
};

/** What a phase leaves of the active ids, by position: those that are larger than both neighbours. */
function localMaxima(ids: readonly number[]): number[] {
  return ids.filter(
    (id, at) => id > ids[(at + ids.length - 1) % ids.length] && id > ids[(at + 1) % ids.length],
  );
}

const laterPhases: Study = study({
  id: 'peterson-bidirectional/later-phases',
  origin: stated([KARNAPKE, 'slide 32, line 503']),
  says: 'on average a third of the active nodes survives each phase, later ones included',
  method: 'mean of runs',
  measure(experiment) {
    for (const ids of shuffled(experiment, 300, 5)) {
      const { phases, run } = activeIds(experiment, ids);
      const left = localMaxima(localMaxima(ids)).length;
      if (phases[2]?.length !== left) return refutedBy(run, `${phases[2]?.length} active nodes, not ${left}`);
    }
    const n = 100_000;
    const shares: number[][] = [[], [], []];
    for (const ids of shuffled(experiment, n, experiment.some(20, 100))) {
      let active: readonly number[] = ids;
      for (const share of shares) {
        const left = localMaxima(active);
        share.push(left.length / active.length);
        active = left;
      }
    }
    const samples = shares.map(sampleOf);
    return {
      verdict: verdictOf(samples.every((sample) => mayBe(sample, 1 / 3))),
      measured: `n = ${formatFigure(n)}: ${samples.map(({ mean }, at) => `${mean.toFixed(4)} in phase ${at + 1}`).join(', ')}`,
      why: 'the first phase compares random ids; the survivors are not in random order: next to each was a smaller id. The nodes that survive a phase are computed as the ids above both neighbours, which is compared with elections of 300 nodes',
      replay: 'hustings reproduce --claim peterson-bidirectional/later-phases',
      table: {
        columns: ['phase', 'share that survives', '95 % confidence interval'],
        rows: samples.map((sample, at) => [
          String(at + 1),
          sample.mean.toFixed(4),
          showInterval(sample, (end) => end.toFixed(4)),
        ]),
      },
    };
  },
});

const halved: Study = study({
  id: 'peterson-bidirectional/halved',
  origin: stated([KARNAPKE, 'slide 28, lines 442–443']),
  says: 'if a node survives a phase, its active neighbours do not: each phase at least halves the active nodes, so there are at most ⌊log2 n⌋ + 1 phases',
  method: 'every order',
  measure(experiment) {
    let runs = 0;
    const most = experiment.some(6, 8);
    function* orders(): Generator<readonly number[]> {
      for (let n = 2; n <= most; n++) yield* everyOrder(n);
      for (const n of [33, 100]) yield* shuffled(experiment, n, experiment.some(20, 100));
    }
    for (const ids of orders()) {
      const { phases, run } = activeIds(experiment, ids);
      runs++;
      if (phases.length > Math.floor(Math.log2(ids.length)) + 1)
        return refutedBy(run, `${phases.length} phases`);
      for (let at = 1; at < phases.length; at++) {
        const before = phases[at - 1];
        const left = new Set(phases[at].map(({ id }) => id));
        const pair = before.findIndex(
          ({ id }, place) =>
            left.has(id) && before.length > 1 && left.has(before[(place + 1) % before.length].id),
        );
        if (pair >= 0 || 2 * left.size > before.length) {
          return refutedBy(run, `${left.size} of ${before.length} nodes survive phase ${at}`);
        }
      }
    }
    return {
      verdict: 'confirmed',
      measured: `holds in ${formatFigure(runs)} elections: every order up to n = ${most}, and random orders of 33 and 100 ids`,
    };
  },
});

export const survivalStudies: readonly Study[] = [firstPhase, laterPhases, halved];
