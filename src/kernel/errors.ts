/**
 * The errors of algorithms and their runs, beside the base errors that all of the package shares.
 *
 * Not errors: losing leadership, and an election that fails, which is a result.
 */
import { type ErrorDetails, HustingsError, InputError } from '../errors/hustings-error.ts';

export { type ErrorDetails, HustingsError, InputError };

/** An algorithm did what its declaration or the model forbids: the fault is in its code, not in the input. */
export class ProtocolError extends HustingsError {
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { code: details.code ?? 'HUSTINGS_PROTOCOL', cause: details.cause });
  }
}

/** More than a machine holds. The command line exits with 3. */
export class CapacityError extends HustingsError {
  constructor(message: string) {
    super(message, { code: 'HUSTINGS_CAPACITY' });
  }
}

/** A run does not meet what the algorithm assumes; `assumption` is the word for `--despite`. */
export class AssumptionError extends InputError {
  readonly assumption: string;

  constructor(message: string, assumption: string) {
    super(message, { code: 'HUSTINGS_ASSUMPTION' });
    this.assumption = assumption;
  }
}

/** An election that did not do what an election must, or an algorithm that failed: the run can be replayed. */
export class ElectionError extends HustingsError {
  /** What was broken: termination, uniqueness, agreement, an invariant's name, or 'handler'. */
  readonly property: string;
  /** The options that give the same run again, as the command line takes them. */
  readonly replay: string;

  constructor(message: string, details: { property: string; replay: string; cause?: unknown }) {
    super(message, { code: 'HUSTINGS_ELECTION', cause: details.cause });
    this.property = details.property;
    this.replay = details.replay;
  }
}
