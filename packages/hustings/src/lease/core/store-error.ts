/** The error of a store that failed. Its message never contains a password: see store-url.ts. */
import { type ExitCategory, HustingsError } from '@hustings/base';

/**
 * unreachable: no connection, or it broke: the call may or may not have taken effect. busy: the store was reached and did
 * nothing. denied: missing rights or a wrong password. unprepared: the tables are missing or of another version. unusable:
 * the store can never work in its present form, for example a database on a network file system.
 */
export type StoreErrorKind = 'unreachable' | 'busy' | 'denied' | 'unprepared' | 'unusable';

/** True if the same call will fail again until somebody changes the store, its rights or its URL. */
export function isPermanent(kind: StoreErrorKind): boolean {
  return kind !== 'unreachable' && kind !== 'busy';
}

/** A call to a store failed. `kind` decides whether a retry can help. */
export class StoreError extends HustingsError {
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, { code: `HUSTINGS_STORE_${kind.toUpperCase()}`, cause });
    this.kind = kind;
  }

  override get exitCategory(): ExitCategory {
    return 'environment';
  }
}

/** The process has closed the store. */
export const closedError = (label: string): StoreError =>
  new StoreError('unreachable', `${label} was closed by this process; open it again`);

/** The process has closed its member of a cluster, so that none of its candidates can lead any more. */
export class ClusterClosedError extends StoreError {
  override readonly code: string = 'HUSTINGS_CLUSTER_CLOSED';

  constructor(cluster: string) {
    super('unusable', `the cluster ${cluster} was closed by this process; open it again`);
  }
}

/** True if no later call can succeed in this process: what waits or watches ends with this error. */
export function isFinal(error: unknown): error is ClusterClosedError {
  return error instanceof ClusterClosedError;
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
