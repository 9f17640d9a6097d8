/**
 * The messages of real epochs that have ended: those that a law counts in every schedule equal it to the digit, and the others equal
 * what the simulator counts if it delivers in the recorded order.
 */

import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { MessageCodec } from '../../../study/src/kernel/machine/message-codec.ts';
import type { Topology } from '../../../study/src/kernel/network/topology.ts';
import { isMessageStep, parseStep } from '../../../study/src/kernel/world/step.ts';
import { simulate } from '../../../study/src/simulator/index.ts';
import { isStepEvent, mergeRecording, type RecordedStep } from '../../src/record/merge.ts';
import type { TraceText } from '../../src/record/parse-trace.ts';
import { exactCounts } from '../../src/record/run-laws.ts';
import { overlaySetup } from '../../src/view/overlay.ts';

export interface CountedEpochs {
  /** Epochs in which all that was sent has arrived, and all members have decided. */
  readonly ended: number;
  /** Counts that were compared with a law. */
  readonly laws: number;
  /** Epochs that were compared with the simulator. */
  readonly simulated: number;
  readonly wrongs: readonly string[];
}

export function countEpochs(algorithm: AnyAlgorithm, texts: readonly TraceText[]): CountedEpochs {
  const { deliveries, events } = mergeRecording(texts);
  const epochs = new Map<string, RecordedStep[]>();
  const members = new Map<string, readonly number[]>();
  for (const event of events) {
    const { entry } = event;
    if (entry.type === 'epoch') members.set(`${entry.number} ${entry.proposer}`, entry.members);
    if (!isStepEvent(event)) continue;
    const name = `${event.entry.epoch} ${event.entry.proposer}`;
    epochs.set(name, [...(epochs.get(name) ?? []), event]);
  }
  const counted = { ended: 0, laws: 0, simulated: 0, wrongs: [] as string[] };
  for (const [name, steps] of epochs) {
    const sent = steps.flatMap(({ entry }) => entry.sent);
    const ids = members.get(name) ?? [];
    const decided = new Set(steps.filter(({ entry }) => entry.decided !== undefined).map(({ id }) => id));
    if (decided.size < ids.length || !sent.every(({ key }) => deliveries.has(key))) continue;
    counted.ended++;
    const setup = overlaySetup(algorithm, ids, {}, null);
    if (setup === null) throw new Error('no overlay');
    const codec = new MessageCodec(algorithm.name, algorithm.messages);
    const byType = codec.types.map(
      (type) => sent.filter(({ message }) => message.split(' ')[0] === type).length,
    );
    for (const { formula, recorded, value } of exactCounts(setup, codec.counts(byType))) {
      counted.laws++;
      if (recorded !== value)
        counted.wrongs.push(`epoch ${name}: ${recorded} messages, not ${formula} = ${value}`);
    }
    // The draws of a simulation are its own.
    if (steps.some(({ entry }) => parseStep(entry.step).draws !== undefined)) continue;
    const simulated = inRecordedOrder(algorithm, setup.underlay, ids, steps);
    counted.simulated++;
    if (simulated !== sent.length)
      counted.wrongs.push(`epoch ${name}: ${sent.length} messages, and ${simulated} in the simulator`);
  }
  return counted;
}

/** All start before the first delivery, which changes nothing: a start precedes the deliveries of its node in any case. */
function inRecordedOrder(
  algorithm: AnyAlgorithm,
  topology: Topology,
  ids: readonly number[],
  steps: readonly RecordedStep[],
): number {
  const order = steps.map(({ entry }) => parseStep(entry.step)).filter(isMessageStep);
  const outcome = simulate(algorithm, {
    ids,
    topology,
    schedule: {
      fifo: algorithm.assumes.fifo,
      pick: (choices, at) => {
        const next = order[at];
        return choices.findIndex(
          ({ from, port, to }) => from === next?.from && to === next.to && port === next.port,
        );
      },
    },
  });
  return outcome.messages.total;
}
