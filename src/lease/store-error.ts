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
