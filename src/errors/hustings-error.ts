/**
 * The base of all errors that this package throws on purpose. It is a layer of its own, below the kernel and the leases:
 * a service that imports the elector loads this file and nothing of the kernel.
 */

export interface ErrorDetails {
  readonly code?: string | undefined;
  readonly cause?: unknown;
}

/** Has a `code` that programs may rely on, a `cause` where there is one, and one line of text: what is wrong, and what to do. */
export class HustingsError extends Error {
  readonly code: string;

  constructor(message: string, details: ErrorDetails = {}) {
    // An absent cause stays absent, so that a printed error shows no "cause: undefined".
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code ?? 'HUSTINGS_ERROR';
  }
}

/** The caller gave an argument or an option that cannot be used. The command line exits with 2. */
export class InputError extends HustingsError {
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { code: details.code ?? 'HUSTINGS_INPUT', cause: details.cause });
  }
}
