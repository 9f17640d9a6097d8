/** Records the events of a run for its space-time diagram, up to the limits of a diagram. */
import { checkDrawable, spaceTimeDiagram } from '../../drawing/index.ts';
import type { Outcome, Run, TraceEvent } from '../../simulator/index.ts';
import { settingOf } from './summary.ts';

export class Recording {
  readonly events: TraceEvent[] = [];
  private messages = 0;

  take(event: TraceEvent): void {
    if (event.type === 'state') return;
    if (event.type === 'send') this.messages++;
    this.events.push(event);
    checkDrawable({ messages: this.messages, events: this.events.length });
  }

  /** `outcome` is null if the election failed. */
  draw(run: Run, outcome: Outcome | null): string {
    const { algorithm, topology, ids, anonymous } = run.plan;
    return spaceTimeDiagram(this.events, {
      title: algorithm.title,
      subtitle: `${settingOf(run)}: ${outcome === null ? 'the election failed' : costOf(outcome)}`,
      topology,
      ids: anonymous ? null : ids,
      leader: outcome?.leader?.position ?? null,
      announcements: Object.keys(algorithm.messages).filter((type) => algorithm.messages[type].announces),
      upkeep: Object.keys(algorithm.messages).filter((type) => algorithm.messages[type].upkeep),
    });
  }
}

function costOf({ messages: { election, announcement, upkeep = 0 } }: Outcome): string {
  const parts = [`${election} election`];
  if (announcement > 0) parts.push(`${announcement} announcement`);
  if (upkeep > 0) parts.push(`${upkeep} upkeep`);
  return `${parts.join(parts.length > 2 ? ', ' : ' and ')} messages`;
}
