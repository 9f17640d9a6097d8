/** Compares what a member recorded of a step with what the algorithm does in it. */
import type { Setup } from '../../kernel/setup.ts';
import { formatMessage } from '../../kernel/trace.ts';
import { parseStep, type StepOutcome } from '../../kernel/world/step.ts';
import type { RecordedStep } from './merge.ts';
import type { StepLine } from './parse-trace.ts';

/** A step that the algorithm may not take. */
export class IllegalStep extends Error {}

/** Throws unless the algorithm sends and decides in this step what the member has recorded. */
export function checkOutcome(
  { ids }: Setup,
  { entry, id }: RecordedStep,
  { events, failure, step }: StepOutcome,
): void {
  if (failure !== null) throw new IllegalStep(`its handler fails: ${String(failure.error)}`);
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
}

function decided(one: StepLine['decided']): string {
  return one === undefined ? 'nothing' : `${one.role} of ${one.leader} in term ${one.term}`;
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}
