/** Space-time diagrams of simulated and of replayed runs. */
import type { Counterexample, Replay } from '../../checker/index.ts';
import { checkDrawable, type PictureStyle, spaceTimeDiagram } from '../../drawing/index.ts';
import type { AnyAlgorithm } from '../../kernel/index.ts';
import type { Outcome, Run, TraceEvent } from '../../simulator/index.ts';
import { violationTitle } from './check-report.ts';
import { networkOf, settingOf } from './summary.ts';
import { costText, costTitle } from './worst-report.ts';

/** Records the events of a run, up to the limits of a diagram. */
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
  draw(run: Run, outcome: Outcome | null, _style?: PictureStyle): string {
    const { algorithm, topology, ids, anonymous } = run.plan;
    return spaceTimeDiagram(this.events, {
      title: algorithm.title,
      subtitle: `${settingOf(run)}: ${outcome === null ? 'the election failed' : costOf(outcome)}`,
      topology,
      ids: anonymous ? null : ids,
      leader: outcome?.leader?.position ?? null,
      ...purposesOf(algorithm),
    });
  }
}

export function drawReplay({ cost, events, setup }: Replay, saved: Counterexample): string {
  const { property, text } = saved;
  const { algorithm, topology, ids, anonymous } = setup;
  const isCounterexample = saved.cost === null;
  return spaceTimeDiagram(events.flat(), {
    title: `${algorithm.title}: ${saved.cost === null ? 'a counterexample' : costTitle(saved.cost)}`,
    subtitle: `${topology.n} nodes on ${networkOf(topology)}: ${isCounterexample ? `${violationTitle(property)}: ${text}` : costText(cost)}`,
    topology,
    ids: anonymous ? null : ids,
    leader: null,
    axis: 'step',
    ...purposesOf(algorithm),
  });
}

export function purposesOf({ messages }: AnyAlgorithm): { announcements: string[]; upkeep: string[] } {
  const typesThat = (purpose: 'announces' | 'upkeep') =>
    Object.keys(messages).filter((type) => messages[type][purpose]);
  return { announcements: typesThat('announces'), upkeep: typesThat('upkeep') };
}

export function costOf({ messages: { election, announcement, upkeep = 0 } }: Outcome): string {
  const parts = [`${election} election`];
  if (announcement > 0) parts.push(`${announcement} announcement`);
  if (upkeep > 0) parts.push(`${upkeep} upkeep`);
  return `${parts.join(parts.length > 2 ? ', ' : ' and ')} messages`;
}
