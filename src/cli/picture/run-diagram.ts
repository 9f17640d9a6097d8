/** Space-time diagrams of simulated and of replayed runs. */
import type { Counterexample, Replay } from '../../checker/index.ts';
import {
  checkDrawable,
  type PictureStyle,
  type SpaceTimeOptions,
  spaceTimeDiagram,
} from '../../drawing/index.ts';
import { purposesOf } from '../../drawing/trace/purpose.ts';
import { type AnyAlgorithm, appearanceOf } from '../../kernel/index.ts';
import type { Outcome, Run, TraceEvent } from '../../simulator/index.ts';
import { violationTitle } from '../report/check-report.ts';
import { networkOf, paramTexts, settingOf } from '../report/summary.ts';
import { costText, costTitle } from '../report/worst-report.ts';

/** Records the events of a run, up to the limits of a diagram. Their states show what is passive, and which phase it is. */
export class Recording {
  readonly events: TraceEvent[] = [];
  private messages = 0;
  private drawn = 0;

  take(event: TraceEvent): void {
    this.events.push(event);
    if (event.type === 'state') return;
    if (event.type === 'send') this.messages++;
    checkDrawable({ messages: this.messages, events: ++this.drawn });
  }

  /** `result` ends the subtitle. */
  draw(run: Run, result: string, style?: PictureStyle): string {
    const { algorithm, topology, ids, anonymous } = run.plan;
    const options = {
      title: algorithm.title,
      subtitle: `${settingOf(run)}: ${result}`,
      topology,
      ids: anonymous ? null : ids,
      ...declaredBy(algorithm),
    };
    return spaceTimeDiagram(this.events, options, style);
  }
}

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

/** What the algorithm declares about its messages and the states of its nodes. */
function declaredBy(
  algorithm: AnyAlgorithm,
): Pick<SpaceTimeOptions, 'announcements' | 'upkeep' | 'appearance'> {
  return { ...purposesOf(algorithm), appearance: (state) => appearanceOf(algorithm, state) };
}

export function costOf({ messages: { election, announcement, upkeep = 0 } }: Outcome): string {
  const parts = [`${election} election`];
  if (announcement > 0) parts.push(`${announcement} announcement`);
  if (upkeep > 0) parts.push(`${upkeep} upkeep`);
  return `${parts.join(parts.length > 2 ? ', ' : ' and ')} messages`;
}
