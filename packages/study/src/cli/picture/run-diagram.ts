/** Space-time diagrams of simulated runs. */
import {
  checkDrawable,
  type PictureStyle,
  type SpaceTimeOptions,
  spaceTimeDiagram,
} from '../../drawing/index.ts';
import { purposesOf } from '../../drawing/trace/purpose.ts';
import { type AnyAlgorithm, appearanceOf } from '../../kernel/index.ts';
import type { Outcome, Run, TraceEvent } from '../../simulator/index.ts';
import { settingOf } from '../report/summary.ts';

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

/** What the algorithm declares about its messages and the states of its nodes. */
export function declaredBy(
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
