import type { Replay } from '../../src/checker/index.ts';
import type { TracedMessage, TraceEvent } from '../../src/kernel/index.ts';

/**
 * A replayed run as a numbered list, one sentence a step. Nodes go by their ids: these are what algorithms compare; those
 * without ids by their positions. That a message overtakes another is worth a word only where the right algorithm assumes that none does.
 */
export function narrate({ events, setup, steps }: Replay, assumesFifo: boolean): string[] {
  const names = setup.anonymous ? setup.ids.map((_, position) => position) : setup.ids;
  const teller = new Teller(names, assumesFifo);
  const [before, ...rest] = events;
  const opening = teller.opening(before);
  return [
    ...(opening === '' ? [] : [opening, '']),
    ...rest.map(
      (step, k) => `${k + 1}. ${steps[k] === 'tick' ? 'A unit of time goes by.' : teller.step(step)}`,
    ),
  ];
}

/** Sees every event once, in order. */
class Teller {
  private readonly ids: Int32Array;
  /** By link, in the order in which they were sent. */
  private readonly underWay = new Map<string, string[]>();

  private readonly assumesFifo: boolean;

  constructor(ids: Int32Array, assumesFifo: boolean) {
    this.ids = ids;
    this.assumesFifo = assumesFifo;
  }

  /** Who is dead, and who has started by then. */
  opening(events: readonly TraceEvent[]): string {
    const dead = events.filter(({ type }) => type === 'crash');
    const starts = events.flatMap((event, at) => (event.type === 'start' ? [at] : []));
    const started = starts.map((at, k) => this.step(events.slice(at, starts[k + 1])));
    return [...dead.map(({ node }) => `Node ${this.nameOf(node)} is dead.`), ...started].join(' ');
  }

  /** A helper has no id, and goes by its position. */
  private nameOf(at: number): string {
    return at < this.ids.length ? String(this.ids[at]) : `#${at}`;
  }

  /** What happened, and what the node did upon it. */
  step([cause, ...effects]: readonly TraceEvent[]): string {
    const what = this.cause(cause);
    const deeds = this.deeds(effects);
    if (deeds.length === 0 && cause.type === 'deliver') deeds.push('sends nothing');
    return `${joined([what, ...deeds])}.`;
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
        return `${who} hears that ${shown(event.message)} did not reach node ${this.nameOf(event.from)}`;
      case 'deliver':
        return `${who} receives ${this.arrival(event)}`;
      case 'timer':
        return `${who} finds its time over`;
      case 'lost':
        return `${this.arrival(event)} finds node ${this.nameOf(event.node)} dead`;
      default:
        throw new Error(`no words for ${event.type}: add them`);
    }
  }

  /** The same message to several nodes is one deed. Decisions come first: they are why. */
  private deeds(events: readonly TraceEvent[]): string[] {
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

  /** Takes a message off its link; what was sent there before and is still under way has been overtaken. */
  private arrival({ from, node, message }: { from: number; node: number; message: TracedMessage }): string {
    const link = this.link(from, node);
    const at = link.indexOf(shown(message));
    const earlier = link.slice(0, at);
    link.splice(at, 1);
    const isWorthAWord = this.assumesFifo && earlier.length > 0;
    const overtaken = !isWorthAWord ? '' : ` (it has overtaken ${joined(earlier)})`;
    return `${shown(message)} from node ${this.nameOf(from)}${overtaken}`;
  }

  private link(from: number, to: number): string[] {
    const key = `${from}>${to}`;
    const link = this.underWay.get(key) ?? [];
    this.underWay.set(key, link);
    return link;
  }

  private decision(event: Extract<TraceEvent, { type: 'decide' }>): string {
    const term = event.term > 0 ? ` term ${event.term}` : '';
    return event.role === 'leader'
      ? `**leads**${term}`
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
