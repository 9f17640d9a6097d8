/** The error of a driver that stops when a handler throws. */
import { ElectionError, HustingsError, ProtocolError } from '../errors.ts';
import type { StepOutcome } from './step-outcome.ts';
import type { World } from './world.ts';

/** Throws if a handler threw. `replay` is the command that repeats the run. */
export function refuseFailure({ setup }: World, { failure }: StepOutcome, replay: string): void {
  if (failure === null) return;
  const { error, node } = failure;
  if (error instanceof HustingsError && !(error instanceof ProtocolError)) throw error;
  const text = error instanceof Error ? error.message : String(error);
  throw new ElectionError(`${setup.algorithm.name} failed at node ${node}: ${text}`, {
    property: 'handler',
    replay,
    cause: error,
  });
}
