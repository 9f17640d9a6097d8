import type { Replay } from '../../../packages/study/src/checker/index.ts';
import type { TracedMessage, TraceEvent } from '../../../packages/study/src/kernel/index.ts';

/**
 * A replayed run as a numbered list, one sentence per step. Nodes are named by their ids, which algorithms compare, or by
 * their positions if they have none. Overtaking is mentioned only where the correct algorithm assumes FIFO links.
 */
export function narrate({ events, setup, steps }: Replay, assumesFifo: boolean): string[] {
  const names = setup.anonymous ? setup.ids.map((_, position) => position) : setup.ids;
  const narrator = new Narrator(names, assumesFifo);
  const [before, ...rest] = events;
  const initial = narrator.initial(before);
  return [
    ...(initial === '' ? [] : [initial, '']),
    ...rest.map(
      (step, k) => `${k + 1}. ${steps[k] === 'tick' ? 'One unit of time passes.' : narrator.step(step)}`,
    ),
  ];
}

/** Takes every event once, in order. */
class Narrator {
  private readonly ids: Int32Array;
  /** By link, in the order in which they were sent. */
  private readonly inFlight = new Map<string, string[]>();

  private readonly assumesFifo: boolean;

  constructor(ids: Int32Array, assumesFifo: boolean) {
    this.ids = ids;
    this.assumesFifo = assumesFifo;
  }

  /** The nodes that have crashed or started before the first step. */
  initial(events: readonly TraceEvent[]): string {
    const dead = events.filter(({ type }) => type === 'crash');
    const starts = events.flatMap((event, at) => (event.type === 'start' ? [at] : []));
    const started = starts.map((at, k) => this.step(events.slice(at, starts[k + 1])));
    return [...dead.map(({ node }) => `Node ${this.nameOf(node)} has crashed.`), ...started].join(' ');
  }

  /** A process of an overlay has no id and is named by its position. */
  private nameOf(at: number): string {
    return at < this.ids.length ? String(this.ids[at]) : `#${at}`;
  }

  /** The event, and the reaction of the node. */
  step([cause, ...effects]: readonly TraceEvent[]): string {
    const what = this.cause(cause);
    const actions = this.actions(effects);
    if (actions.length === 0 && cause.type === 'deliver') actions.push('sends nothing');
    return `${joined([what, ...actions])}.`;
  }

  private cause(event: TraceEvent): string {
    const who = `Node ${this.nameOf(event.node)}`;
    switch (event.type) {
      case 'start':
        return `${who} starts`;
      case 'crash':
        return `${who} crashes`;
      case 'recover':
        return `${who} recovers`;
      case 'undelivered':
        return `${who} learns that ${shown(event.message)} did not reach node ${this.nameOf(event.from)}`;
      case 'deliver':
        return `${who} receives ${this.arrival(event)}`;
      case 'timer':
        return `${who}'s timer fires`;
      case 'lost':
        return `${this.arrival(event)} is lost, because node ${this.nameOf(event.node)} has crashed`;
      default:
        throw new Error(`no sentence for ${event.type}: add one`);
    }
  }

  /** Equal messages to several nodes are one action. Decisions come first, because they cause the messages. */
  private actions(events: readonly TraceEvent[]): string[] {
    const decisions = events.flatMap((event) => (event.type === 'decide' ? [this.decision(event)] : []));
    const receivers = new Map<string, string[]>();
    for (const event of events) {
      if (event.type !== 'send') continue;
      const text = shown(event.message);
      this.link(event.node, event.to).push(text);
      receivers.set(text, [...(receivers.get(text) ?? []), this.nameOf(event.to)]);
    }
    const sent = [...receivers].map(
      ([text, names]) => `${text} to ${names.length === 1 ? 'node' : 'nodes'} ${joined(names)}`,
    );
    return sent.length === 0 ? decisions : [...decisions, `sends ${joined(sent)}`];
  }

  /** Removes a message from its link; earlier messages that are still in flight have been overtaken. */
  private arrival({ from, node, message }: { from: number; node: number; message: TracedMessage }): string {
    const link = this.link(from, node);
    const at = link.indexOf(shown(message));
    const earlier = link.slice(0, at);
    link.splice(at, 1);
    const isMentioned = this.assumesFifo && earlier.length > 0;
    const overtaken = !isMentioned ? '' : ` (it has overtaken ${joined(earlier)})`;
    return `${shown(message)} from node ${this.nameOf(from)}${overtaken}`;
  }

  private link(from: number, to: number): string[] {
    const key = `${from}>${to}`;
    const link = this.inFlight.get(key) ?? [];
    this.inFlight.set(key, link);
    return link;
  }

  private decision(event: Extract<TraceEvent, { type: 'decide' }>): string {
    const term = event.term > 0 ? ` term ${event.term}` : '';
    return event.role === 'leader'
      ? `**becomes the leader**${term && ` of${term}`}`
      : `follows node ${event.leader}${term && ` in${term}`}`;
  }
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** The type and the values, as papers write them. */
function shown({ type, ...fields }: TracedMessage): string {
  return `⟨${[type, ...Object.values(fields)].join(' ')}⟩`;
}
