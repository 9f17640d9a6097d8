/** For an election that has never had a leader: suggests a similar name, if there is one. */
import type { LeaseStore } from '../../lease/index.ts';
import { similarName } from '../flags/nearest-name.ts';
import { printable } from '../table.ts';

export async function hintAtElections(store: LeaseStore, name: string): Promise<string[]> {
  const names = await store.names();
  if (names.length === 0) return ['  this store has no elections; check that it is the right one'];
  const close = similarName(name, names);
  if (close !== null) return [`  did you mean ${printable(close)}?`];
  return [`  this store has other elections: 'hustings leader' lists them`];
}
