/** The error of a store that failed. Its message never contains a password: see store-url.ts. */
import { HustingsError } from '../errors/hustings-error.ts';
import type { StoreErrorKind } from './core/store-error-kind.ts';

/** A call to a store failed. `kind` decides whether a retry can help. */
export class StoreError extends HustingsError {
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, { code: `HUSTINGS_STORE_${kind.toUpperCase()}`, cause });
    this.kind = kind;
  }
}

/** A call over a list was done in part. Each item without an answer can be repeated, as after any error of this kind. */
export class PartialAnswerError extends StoreError {
  /** In the order of the list; undefined where an answer is missing. */
  readonly answers: readonly unknown[];

  constructor(error: StoreError, answers: readonly unknown[]) {
    super(error.kind, error.message, error);
    this.answers = answers;
  }
}
