/**
 * The errors of algorithms and their runs. The base errors, which the whole package shares, are in packages/base/src.
 *
 * Not errors: a counterexample of the checker, and a failed election under `despite`. Both are results.
 */
import { type ErrorDetails, type ExitCategory, HustingsError, InputError, type Remedy } from '@hustings/base';

export { type ErrorDetails, HustingsError, InputError, type Remedy };

/** The code of an algorithm did something that its declaration or the model forbids. */
export class ProtocolError extends HustingsError {
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { code: details.code ?? 'HUSTINGS_PROTOCOL', cause: details.cause });
  }
}

/** A run or a search exceeds a fixed capacity. The command line exits with 3. */
export class CapacityError extends HustingsError {
  constructor(message: string) {
    super(message, { code: 'HUSTINGS_CAPACITY' });
  }

  override get exitCategory(): ExitCategory {
    return 'environment';
  }
}

/** One step has more random outcomes than can be followed. */
export class OutcomesError extends CapacityError {}

/** The options violate an assumption of the algorithm; `assumption` is its name in the option `despite`. */
export class AssumptionError extends InputError {
  readonly assumption: string;

  constructor(message: string, assumption: string, remedies?: readonly Remedy[]) {
    super(message, { code: 'HUSTINGS_ASSUMPTION', remedies });
    this.assumption = assumption;
  }
}

/** The election violated a property, or a handler of the algorithm threw. */
export class ElectionError extends HustingsError {
  /** The violated property: termination, uniqueness, agreement, the name of an invariant, or 'handler'. */
  readonly property: string;
  /** The command that repeats the run. */
  readonly replay: string;

  constructor(message: string, details: { property: string; replay: string; cause?: unknown }) {
    super(message, { code: 'HUSTINGS_ELECTION', cause: details.cause });
    this.property = details.property;
    this.replay = details.replay;
  }

  override get exitCategory(): ExitCategory {
    return 'election';
  }
}
