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
