/** What caused a message, and what it caused. Refers to events by their index in the trace of a branch. */
import { formatMessage, type TraceEvent } from '@hustings/study/kernel';

/** The causes and effects of all events of a trace. */
export class Causality {
  /** By event: the event that caused it; −1 for none. A send is caused by what its handler handled, an arrival by its send. */
  private readonly causes: Int32Array;
  private readonly effects = new Map<number, number[]>();

  constructor(private readonly events: readonly TraceEvent[]) {
    this.causes = new Int32Array(events.length).fill(-1);
    const handled = new Map<number, number>();
    const sends = new Map<string, number[]>();
    events.forEach((event, index) => {
      const { node, type } = event;
      if (type === 'send') {
        this.link(handled.get(node), index);
        const key = `${node}>${event.to}@${event.time} ${formatMessage(event.message)}`;
        const open = sends.get(key);
        if (open === undefined) sends.set(key, [index]);
        else open.push(index);
      } else if (type === 'decide') this.link(handled.get(node), index);
      else if (type === 'deliver' || type === 'lost') {
        const open = sends.get(`${event.from}>${node}@${event.sent} ${formatMessage(event.message)}`) ?? [];
        // A duplicate arrives after its send was taken.
        this.link(open.length > 1 ? open.shift() : open[0], index);
        if (type === 'deliver') handled.set(node, index);
      } else if (type !== 'state') handled.set(node, index);
    });
  }

  /** The event that caused an event; null for a start, a timer or a fault. */
  causeOf(event: number): number | null {
    const cause = this.causes[event];
    return cause < 0 ? null : cause;
  }

  /** The events that an event caused, in order. */
  effectsOf(event: number): readonly number[] {
    return this.effects.get(event) ?? [];
  }

  /** The chain of events that led to an event, the first cause first. */
  pathTo(event: number): number[] {
    const path = [event];
    for (let cause = this.causeOf(event); cause !== null; cause = this.causeOf(cause)) path.unshift(cause);
    return path;
  }

  /** The sends before a send, from the first cause on: the path of a token back to its start. */
  sendsBefore(send: number): number[] {
    return this.pathTo(send).filter((index) => index !== send && this.events[index].type === 'send');
  }

  /** The sends that the arrival of a message caused. */
  sendsAfter(send: number): number[] {
    const arrivals = this.effectsOf(send);
    return arrivals
      .flatMap((arrival) => this.effectsOf(arrival))
      .filter((index) => this.events[index].type === 'send');
  }

  private link(cause: number | undefined, event: number): void {
    if (cause === undefined) return;
    this.causes[event] = cause;
    const effects = this.effects.get(cause);
    if (effects === undefined) this.effects.set(cause, [event]);
    else effects.push(event);
  }
}
