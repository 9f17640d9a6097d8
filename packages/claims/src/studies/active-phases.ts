/** Peterson on a bidirectional ring, phase by phase: how many messages each costs. */

import { formatFigure } from '@hustings/base';
import { petersonBidirectional } from '@hustings/study/algorithms';
import type { Run, SimulateOptions } from '@hustings/study/simulator';
import { type Study, study } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { stated } from '../origin.ts';
import { elections, FIFO } from '../parameter-grid.ts';
import { refutedBy } from '../run-study.ts';
import { KARNAPKE } from '../sources.ts';

/** An election of at least three nodes, and its messages by phase. A forwarded id belongs to the phase in which its node sent it. */
function phaseCosts(
  experiment: Experiment,
  options: SimulateOptions,
): { readonly run: Run; readonly costs: readonly number[] } {
  const costs: number[] = [];
  /** The phases of the messages on each link, in order. */
  const onLink = new Map<string, number[]>();
  /** The phase in which a node has last received an id: at most one message waits at a node. */
  const received = new Map<string, number>();
  /** The node with each id, which is the first to send it, and its latest phase in each direction. */
  const [owner, begun] = [new Map<number, number>(), new Map<string, number>()];
  const run = experiment.run(petersonBidirectional, {
    ...options,
    observe: (event) => {
      if ((event.type !== 'deliver' && event.type !== 'send') || event.message.type !== 'id') return;
      const { node, message } = event;
      const id = Number(message.id);
      if (event.type !== 'send') {
        received.set(`${node} ${id}`, onLink.get(`${event.from} ${node}`)?.shift() ?? -1);
        return;
      }
      if (!owner.has(id)) owner.set(id, node);
      const direction = `${id} ${event.port}`;
      const isOwn = owner.get(id) === node;
      const phase = isOwn ? (begun.get(direction) ?? -1) + 1 : (received.get(`${node} ${id}`) ?? -1);
      if (isOwn) begun.set(direction, phase);
      const link = `${node} ${event.to}`;
      onLink.set(link, [...(onLink.get(link) ?? []), phase]);
      costs[phase] = (costs[phase] ?? 0) + 1;
    },
  });
  return { run, costs };
}

export const phaseBound: Study = study({
  id: 'peterson-bidirectional/phase-bound',
  origin: stated([KARNAPKE, 'slide 28, line 444']),
  says: 'a phase costs at most 2n messages',
  method: 'upper bound',
  measure(experiment) {
    let [runs, phases, nearest, replay] = [0, 0, 0, ''];
    for (const options of elections(experiment, { sizes: [16, 5, 8, 33, 64], schedules: FIFO })) {
      const { run, costs } = phaseCosts(experiment, options);
      const n = run.plan.nodes;
      const most = Math.max(...costs);
      if (most > 2 * n) return refutedBy(run, `${most} messages in a phase at n = ${n}`);
      runs++;
      phases += costs.length;
      nearest = Math.max(nearest, most / n);
      if (options.order === 'random') replay ||= run.plan.replay;
    }
    return {
      verdict: 'confirmed',
      measured: `at most ${nearest}n messages in each of ${formatFigure(phases)} phases, in ${formatFigure(runs)} elections`,
      why: 'exactly 2n if nodes wait for an id from each side: law-1',
      replay,
    };
  },
});
