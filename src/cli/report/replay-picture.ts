/** The space-time diagram of a replayed run. */
import type { Counterexample, Replay } from '../../checker/index.ts';
import { spaceTimeDiagram } from '../../drawing/index.ts';
import { violationTitle } from './check-report.ts';
import { networkOf } from './summary.ts';
import { costText, costTitle } from './worst-report.ts';

export function drawReplay({ cost, events, setup }: Replay, saved: Counterexample): string {
  const { property, text } = saved;
  const { algorithm, topology, ids, anonymous } = setup;
  return spaceTimeDiagram(events.flat(), {
    title: `${algorithm.title}: ${saved.cost === null ? 'a counterexample' : costTitle(saved.cost)}`,
    subtitle: `${topology.n} nodes on ${networkOf(topology)}: ${saved.cost === null ? `${violationTitle(property)}: ${text}` : costText(cost)}`,
    topology,
    ids: anonymous ? null : ids,
    leader: null,
    axis: 'step',
    announcements: Object.keys(algorithm.messages).filter((type) => algorithm.messages[type].announces),
    upkeep: Object.keys(algorithm.messages).filter((type) => algorithm.messages[type].upkeep),
  });
}
