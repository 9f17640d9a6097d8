/** Checks the invariants of the algorithm during a simulation. */
import type { InvariantChoice, NetworkMessage } from '../kernel/invariant.ts';
import type { Machine } from '../kernel/machine/machine.ts';
import { portOf, receiverOf } from '../kernel/machine/message-buffer.ts';
import { InvariantMonitor, type ViolatedInvariant } from '../properties/invariants.ts';
import type { Schedule } from './schedules/schedule.ts';

export class InvariantCheck {
  /** By position: the node after its last event. */
  private readonly records: (readonly number[])[];
  /** A synchronous network has a state between two rounds only, not between two events. */
  private readonly isSynchronous: boolean;

  private constructor(
    private readonly monitor: InvariantMonitor,
    private readonly machine: Machine,
  ) {
    this.records = Array.from(machine.status, (_, at) => machine.save(at));
    this.isSynchronous = machine.algorithm.assumes.timing === 'synchronous';
  }

  /** Null if there is nothing to check. */
  static of(machine: Machine, choice: InvariantChoice): InvariantCheck | null {
    const monitor = InvariantMonitor.of(machine, choice);
    return monitor && new InvariantCheck(monitor, machine);
  }

  initially(schedule: Schedule): ViolatedInvariant | null {
    return this.monitor.violatedInitially() ?? this.violatedNow(schedule);
  }

  /** After an event at a node. */
  afterEvent(at: number, schedule: Schedule): ViolatedInvariant | null {
    const violated = this.monitor.violatedByStep(at, this.records[at]);
    this.records[at] = this.machine.save(at);
    return violated ?? (this.isSynchronous ? null : this.violatedNow(schedule));
  }

  /** Called after all events of the same time. */
  afterInstant(schedule: Schedule): ViolatedInvariant | null {
    return this.isSynchronous ? this.violatedNow(schedule) : null;
  }

  private violatedNow(schedule: Schedule): ViolatedInvariant | null {
    return this.monitor.violatedNow(() => this.messagesIn(schedule));
  }

  private messagesIn(schedule: Schedule): NetworkMessage[] {
    const { codec, environment, lists } = this.machine;
    const messages: NetworkMessage[] = [];
    schedule.forEachInFlight((words, base) => {
      const to = receiverOf(words, base);
      const from = environment.topology.neighbour(to, portOf(words, base));
      messages.push({ from, to, message: codec.read(words, base, lists) as NetworkMessage['message'] });
    });
    return messages;
  }
}
