/** Decodes step numbers, the encoding of the search, into steps of the world. */
import type { Machine } from '../../kernel/machine/machine.ts';
import { formatMessage, type TracedMessage } from '../../kernel/trace.ts';
import type { Step } from '../../kernel/world/step.ts';
import type { LinkTable } from './link-table.ts';
import { CRASH, DELIVER, indexOf, kindOf, LOSE, NOTICE, RECOVER, ROUND, TICK, TIMER } from './step-number.ts';

export class StepDecoder {
  private readonly timers: readonly string[];

  constructor(
    private readonly machine: Machine,
    private readonly table: LinkTable,
  ) {
    this.timers = machine.algorithm.timers ?? [];
  }

  /** `messageAt` returns the record of the message of a step on a link. */
  decode(step: number, messageAt: (index: number) => Int32Array): Step {
    const kind = kindOf(step);
    const index = indexOf(step);
    const node = this.actor(step);
    if (kind === TICK || kind === ROUND) return { type: kind === TICK ? 'tick' : 'round' };
    if (kind === TIMER) return { type: 'timer', node, timer: this.timers[index % this.timers.length] };
    if (!isOnLink(kind))
      return { type: kind === CRASH ? 'crash' : kind === RECOVER ? 'recover' : 'start', node };
    const link = index % this.table.count;
    const { codec, lists } = this.machine;
    return {
      type: kind === DELIVER ? 'deliver' : kind === LOSE ? 'lose' : 'notice',
      from: this.table.sender(link),
      to: this.table.receivers[link],
      message: formatMessage(codec.read(messageAt(index), 0, lists) as TracedMessage),
    };
  }

  /** The node that takes the step; −1 if there is none. */
  actor(step: number): number {
    const kind = kindOf(step);
    const index = indexOf(step);
    if (kind === TICK || kind === ROUND) return -1;
    if (kind === TIMER) return Math.floor(index / this.timers.length);
    if (kind === NOTICE) return this.table.sender(index % this.table.count);
    return isOnLink(kind) ? this.table.receivers[index % this.table.count] : index;
  }
}

function isOnLink(kind: number): boolean {
  return kind === DELIVER || kind === NOTICE || kind === LOSE;
}
