/** The steps of an election in the words that counterexamples are written in, and who takes them. */
import type { Machine } from '../../kernel/machine/machine.ts';
import { formatMessage, type TracedMessage } from '../../kernel/trace.ts';
import type { LinkTable } from './link-table.ts';
import { DELIVER, indexOf, KIND_NAMES, kindOf, LOSE, NOTICE, ROUND, TICK, TIMER } from './step-number.ts';

export class StepNames {
  private readonly machine: Machine;
  private readonly table: LinkTable;
  private readonly timers: readonly string[];

  constructor(machine: Machine, table: LinkTable) {
    this.machine = machine;
    this.table = table;
    this.timers = machine.algorithm.timers ?? [];
  }

  /** `messageAt` gives the words of the message that a step on a link is about. */
  describe(step: number, messageAt: (index: number) => Int32Array): string {
    const kind = kindOf(step);
    const index = indexOf(step);
    const name = KIND_NAMES[kind];
    if (kind === TICK || kind === ROUND) return name;
    if (kind === TIMER) return `${name} ${this.actor(step)} ${this.timers[index % this.timers.length]}`;
    if (!isOnLink(kind)) return `${name} ${index}`;
    const link = index % this.table.count;
    const { codec, lists } = this.machine;
    const text = formatMessage(codec.read(messageAt(index), 0, lists) as TracedMessage);
    return `${name} ${this.table.sender(link)} > ${this.table.receivers[link]} ${text}`;
  }

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
