/**
 * The base of all errors that this package throws on purpose. It is a layer of its own, below the kernel and the leases:
 * a service that imports the elector loads this file and nothing of the kernel.
 */

/** An option of the call that failed, with a value that makes it valid. */
export interface Remedy {
  readonly option: string;
  readonly value: string;
}

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
}

/** The caller gave an argument or an option that cannot be used. The command line exits with 2. */
export class InputError extends HustingsError {
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { ...details, code: details.code ?? 'HUSTINGS_INPUT' });
  }
}
