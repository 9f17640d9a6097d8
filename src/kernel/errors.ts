/**
 * Every error that this package throws on purpose is a `HustingsError`: it has a `code` that programs may rely
 * on, a `cause` where there is one, and one line of text: what is wrong, and how to mend it.
 *
 * Not here: losing leadership, which is no error, and an election that fails, which is a result.
 */

export interface ErrorDetails {
  readonly code?: string | undefined;
  readonly cause?: unknown;
}

export class HustingsError extends Error {
  readonly code: string;

  constructor(message: string, details: ErrorDetails = {}) {
    // An absent cause stays absent, so that a printed error shows no "cause: undefined".
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code ?? 'HUSTINGS_ERROR';
  }
}

/** What the caller or the user gave cannot be used. The command line exits with 2. */
export class InputError extends HustingsError {
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { code: details.code ?? 'HUSTINGS_INPUT', cause: details.cause });
  }
}

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
