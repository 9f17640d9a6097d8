/**
 * The base of all errors that this package throws on purpose. It is a layer of its own, below the kernel and the leases:
 * a service that imports the elector loads this file and nothing of the kernel.
 */

/** An option of the call that failed, with a value that makes it valid. */
export interface Remedy {
  readonly option: string;
  readonly value: string;
}

/**
 * The cause of an error, which decides the exit code of the command line: the input, the environment (a store, a file, a port,
 * the memory), or the election. Null is a defect of the program.
 */
export type ExitCategory = 'input' | 'environment' | 'election' | null;

/** Two copies of this file may meet in one process, so `instanceof` is not asked. */
const BRAND = Symbol.for('hustings.error');

/** What an error carries beside its message. */
export interface ErrorDetails {
  readonly code?: string | undefined;
  readonly cause?: unknown;
  readonly remedies?: readonly Remedy[] | undefined;
}

/** Has a `code` that programs may rely on, a `cause` where there is one, and one line of text: what is wrong, and what to do. */
export class HustingsError extends Error {
  readonly code: string;
  /** Options that make the call valid; each one suffices. Absent where the text says it all. */
  declare readonly remedies?: readonly Remedy[];

  constructor(message: string, details: ErrorDetails = {}) {
    // An absent cause stays absent, so that a printed error shows no "cause: undefined".
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code ?? 'HUSTINGS_ERROR';
    if (details.remedies !== undefined) this.remedies = details.remedies;
  }

  get [BRAND](): true {
    return true;
  }

  get exitCategory(): ExitCategory {
    return null;
  }
}

/** Whether a package of this project threw it, also another copy of this one. */
export function isHustingsError(error: unknown): error is HustingsError {
  return error instanceof Error && BRAND in error;
}

/** Whether an error answers the user. Any other one is a defect of the program. */
export function isAnswer(
  error: unknown,
): error is HustingsError & { exitCategory: NonNullable<ExitCategory> } {
  return isHustingsError(error) && error.exitCategory !== null;
}

/** The caller gave an argument or an option that cannot be used. The command line exits with 2. */
export class InputError extends HustingsError {
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { ...details, code: details.code ?? 'HUSTINGS_INPUT' });
  }

  override get exitCategory(): ExitCategory {
    return 'input';
  }
}

/** A file, a port or the machine failed; the input and the election are not the cause. */
export class EnvironmentError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_ENVIRONMENT', cause });
  }

  override get exitCategory(): ExitCategory {
    return 'environment';
  }
}
