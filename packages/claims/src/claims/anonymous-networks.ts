/** Anonymous networks of any shape, and why no deterministic algorithm can elect in them. */

import { formatFigure } from '@hustings/base';
import { attempts, itaiRodehEcho } from '@hustings/study/algorithms';
import { symmetricRun } from '@hustings/study/simulator';
import { type Row, study } from '../claim.ts';
import { lawRow } from '../law-row.ts';
import { stated } from '../origin.ts';
import { ANY_SCHEDULE, allOneSome, elections, networks } from '../parameter-grid.ts';
import { refutedBy } from '../run-study.ts';
import { KARNAPKE, KHARAGPUR } from '../sources.ts';
import { automataStudies } from '../studies/symmetric-automata.ts';

export const itaiRodehEchoRow = lawRow(
  itaiRodehEcho,
  {
    grid: (experiment) =>
      elections(experiment, {
        sizes: [2, 3, 5, 8, 16, 32],
        orders: ['random'],
        initiators: allOneSome,
        schedules: ANY_SCHEDULE,
        topologies: networks,
      }),
  },
  [
    study({
      id: 'itai-rodeh-echo/wave',
      origin: stated([KARNAPKE, 'line 821']),
      says: 'with echo waves it elects on any connected network of known size',
      method: 'exact count',
      measure(experiment) {
        const runs = experiment.some(200, 1500);
        for (let index = 0; index < runs; index++) {
          const nodes = 2 + (index % 20);
          const waves = new Map<string, number>();
          const run = experiment.run(itaiRodehEcho, {
            nodes,
            seed: experiment.seedOf(index),
            topology: networks(nodes)[index % 6],
            schedule: ANY_SCHEDULE[index % 3],
            set: { c: 2 },
            observe: (event) => {
              if (event.type !== 'send' || event.message.type === 'elected') return;
              const wave = `${event.message.round} ${event.message.id}`;
              waves.set(wave, (waves.get(wave) ?? 0) + 1);
            },
          });
          const { round, id } = run.simulation.machine.fieldsOf(run.outcome().leader?.position ?? 0);
          const cost = waves.get(`${round} ${id}`);
          if (cost !== 2 * run.facts().m) return refutedBy(run, `${cost}, not ${2 * run.facts().m}`);
        }
        return {
          verdict: 'confirmed',
          measured: `one leader, and 2m messages in its wave, in ${formatFigure(runs)} elections on six kinds of network`,
        };
      },
    }),
  ],
);

export const impossibilityRow: Row = {
  name: 'impossibility',
  title: 'Impossibility without ids and without randomness',
  studies: [
    ...automataStudies,
    ...attempts.map(({ algorithm, name, fate }) =>
      study({
        id: `impossibility/${name}`,
        origin: stated([KHARAGPUR, 'lines 85–89']),
        says: `all nodes do the same and end in the same state; if one decides to lead, all do. ‘${algorithm.title}’, if all start together: ${fate}`,
        method: 'symmetric run',
        measure(experiment) {
          const sizes = experiment.quick ? [2, 3, 8] : [2, 3, 4, 5, 8, 13, 16];
          const runs = sizes.map((nodes) => symmetricRun(algorithm, { nodes }));
          experiment.runs += sizes.length;
          const last = runs[runs.length - 1];
          const isShown = runs.every(
            ({ leaders, n, end }) => end !== 'open' && leaders.every((count) => count === 0 || count === n),
          );
          return {
            verdict: isShown ? 'illustrated' : 'refuted',
            measured: `at each of ${last.moments.length} moments all ${last.n} nodes are in the same state; end: ${last.end}`,
            why: 'your own anonymous algorithm is run the same way: hustings simulate ./mine.ts',
            replay: `hustings simulate ${name} --nodes ${last.n}`,
          };
        },
      }),
    ),
  ],
};
