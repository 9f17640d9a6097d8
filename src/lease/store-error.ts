/** A store that did not answer as it should. Messages never contain a password: see store-url.ts. */
import { HustingsError } from '../errors/hustings-error.ts';

/**
 * unreachable: no connection, or it broke: the call may or may not have taken effect. busy: the store was reached and did
 * nothing. denied: rights or password. unprepared: the tables are missing or of another version. unusable: the store
 * can never work as it is, such as a database on a network file system.
 */
export type StoreErrorKind = 'unreachable' | 'busy' | 'denied' | 'unprepared' | 'unusable';

export class StoreError extends HustingsError {
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, { code: `HUSTINGS_STORE_${kind.toUpperCase()}`, cause });
    this.kind = kind;
  }
}
