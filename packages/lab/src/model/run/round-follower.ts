/** Takes in a synchronous world the steps of a simulated run: starts, then crashes, losses and rounds. */

import type { World } from '@hustings/study/driver';
import { formatMessage, type TraceEvent } from '@hustings/study/kernel';
import type { TakeStep } from './run-follower.ts';
import type { SimulatedTrace } from './simulated-trace.ts';

/** Follows a run in rounds: everything that happens at one time is one round. */
export class RoundFollower {
  private at = 0;
  /** The draws of the present round by node, in order. */
  private readonly drawn = new Map<number, number[]>();

  constructor(
    private readonly world: World,
    private readonly trace: SimulatedTrace,
    private readonly take: TakeStep,
  ) {
    while (trace.events[this.at]?.type === 'state') this.at++;
  }

  /** The next draw of the node whose handler runs. */
  readonly draw = (): number | undefined => this.drawn.get(this.world.machine.context.at)?.shift();

  /** Follows the next instant; false after the last one. Throws if the world does not allow it. */
  next(): boolean {
    const { draws, events } = this.trace;
    const first = this.at;
    const time = events[first]?.time;
    if (time === undefined) return false;
    this.drawn.clear();
    while (events[this.at]?.time === time) {
      const event = events[this.at];
      const outcomes = draws.get(this.at) ?? [];
      if (outcomes.length > 0)
        this.drawn.set(event.node, [...(this.drawn.get(event.node) ?? []), ...outcomes]);
      this.at++;
    }
    const instant = events.slice(first, this.at);
    if (time === 0) this.start(instant);
    else this.round(instant, time);
    this.lose(instant, time);
    this.compare(instant);
    return true;
  }

  private start(instant: readonly TraceEvent[]): void {
    for (const { node, type } of instant) if (type === 'start') this.take({ type, node }, 0);
  }

  private round(instant: readonly TraceEvent[], time: number): void {
    // Until the next event nothing arrives, but timers and clocks advance.
    while (this.world.configuration.clock < Math.ceil(time) - 1)
      this.take({ type: 'round' }, this.world.configuration.clock + 1);
    for (const event of instant) {
      const { node, type } = event;
      if (type === 'crash' || type === 'recover') this.take({ type, node }, time);
      else if (type === 'lost' && event.reason === 'network partitioned') {
        const message = formatMessage(event.message);
        this.take({ type: 'lose', from: event.from, to: node, message }, time, event.reason);
      }
    }
    if (this.world.matching({ type: 'round' }).length > 0) this.take({ type: 'round' }, time);
  }

  private lose(instant: readonly TraceEvent[], time: number): void {
    for (const event of instant) {
      if (event.type !== 'lost' || event.reason !== 'link lossy') continue;
      const message = formatMessage(event.message);
      this.take({ type: 'lose', from: event.from, to: event.node, message }, time);
    }
  }

  private compare(instant: readonly TraceEvent[]): void {
    const last = new Map<number, string>();
    for (const event of instant)
      if (event.type === 'state') last.set(event.node, JSON.stringify(event.state));
    for (const [node, expected] of last) {
      const found = JSON.stringify(this.world.machine.fieldsOf(node));
      if (found !== expected)
        throw new Error(`node ${node} is in the state ${found}, in the simulator ${expected}`);
    }
  }
}
