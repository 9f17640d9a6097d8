/** Compares what a member recorded of a step with what the algorithm does in it. */

import { isMessageStep, parseStep, type Step, type StepOutcome, type World } from '@hustings/study/driver';
import { nodeSummaryAt } from '@hustings/study/internal/kernel/node-summary-at';
import { formatMessage } from '@hustings/study/kernel';
import type { RecordedStep } from './merge.ts';
import type { StepLine } from './parse-trace.ts';
import { recordedStanding } from './trace-line.ts';

/** A step that the algorithm may not take. */
export class IllegalStep extends Error {}

/** Throws unless the algorithm sends and decides in this step what the member has recorded, and stands where it says. */
export function checkOutcome(
  { machine, setup }: Pick<World, 'machine' | 'setup'>,
  { entry, id }: RecordedStep,
  { events, failure, step }: StepOutcome,
): void {
  if (failure !== null) throw new IllegalStep(`its handler fails: ${String(failure.error)}`);
  const { ids } = setup;
  const drawn = step.draws?.length ?? 0;
  if (drawn !== (parseStep(entry.step).draws?.length ?? 0))
    throw new IllegalStep(`'${entry.step}' draws ${drawn} random numbers`);
  const sent = events.flatMap((one) =>
    one.type === 'send' ? [`${formatMessage(one.message)} to ${ids[one.to] ?? null}`] : [],
  );
  const recorded = entry.sent.map(({ message, to }) => `${message} to ${to}`);
  if (sent.join('\n') !== recorded.join('\n'))
    throw new IllegalStep(`'${entry.step}' sends ${listed(sent)}; member ${id} sent ${listed(recorded)}`);
  const [decision, noted] = [
    decided(events.findLast((one) => one.type === 'decide')),
    decided(entry.decided),
  ];
  if (decision !== noted)
    throw new IllegalStep(`'${entry.step}' decides ${decision}; member ${id} decided ${noted}`);
  const at = ids.indexOf(id);
  const standing = nodeSummaryAt(setup, at, machine.fieldsOf(at));
  if (entry.standing === undefined || standing === null) return;
  const [replayed, inRecord] = [followed(recordedStanding(standing)), followed(entry.standing)];
  if (replayed !== inRecord)
    throw new IllegalStep(`after '${entry.step}' it follows ${replayed}; member ${id} follows ${inRecord}`);
}

function followed({ leader, term }: NonNullable<StepLine['standing']>): string {
  return `${leader ?? 'nobody'} in term ${term}`;
}

function decided(one: StepLine['decided']): string {
  return one === undefined ? 'nothing' : `${one.role} of ${one.leader} in term ${one.term}`;
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

/** The position of the node that takes a step; −1 without one. */
export function actorOf(step: Step): number {
  if (isMessageStep(step)) return step.type === 'notice' ? step.from : step.to;
  return 'node' in step ? step.node : -1;
}
