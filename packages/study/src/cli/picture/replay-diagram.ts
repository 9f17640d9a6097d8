/** Space-time diagrams of replayed runs: counterexamples, and the cheapest and most expensive runs. */
import type { Counterexample, Replay } from '../../checker/index.ts';
import { type PictureStyle, spaceTimeDiagram } from '../../drawing/index.ts';
import { violationTitle } from '../report/check-report.ts';
import { networkOf, paramTexts } from '../report/summary.ts';
import { costText, costTitle } from '../report/worst-report.ts';
import { declaredBy } from './run-diagram.ts';

export function drawReplay(replayed: Replay, saved: Counterexample, style?: PictureStyle): string {
  const { cost, setup } = replayed;
  const { property, text } = saved;
  const { algorithm, topology, ids, anonymous } = setup;
  const named = anonymous ? text : withIds(text, ids);
  const result = saved.cost === null ? `${violationTitle(property)}: ${named}` : costText(cost);
  const options = {
    title: `${algorithm.title}: ${saved.cost === null ? 'a counterexample' : costTitle(saved.cost)}`,
    subtitle: `${[`${topology.n} nodes on ${networkOf(topology)}`, ...paramTexts(setup)].join(', ')}: ${result}`,
    topology,
    ids: anonymous ? null : ids,
    axis: 'step',
    ...declaredBy(algorithm),
  } as const;
  return spaceTimeDiagram(replayed.trace.flat(), options, style);
}

/** 'nodes 0 (id 7) and 2 (id 5) both lead': violations name positions, and the rows of a picture have ids. */
function withIds(text: string, ids: Int32Array): string {
  return text.replace(/^nodes? \d+(?: and \d+)?/, (nodes) =>
    nodes.replace(/\d+/g, (at) => (Number(at) < ids.length ? `${at} (id ${ids[Number(at)]})` : at)),
  );
}
