/** Where nobody has ever led: which election may have been meant? A name that is not close is not guessed at. */
import type { LeaseStore } from '../../lease/index.ts';
import { closeTo } from '../flags/nearest-name.ts';
import { printable } from '../table.ts';

export async function hintAtElections(store: LeaseStore, name: string): Promise<string[]> {
  const names = await store.names();
  if (names.length === 0) return ['  nor anything else in this store: is it the right one?'];
  const close = closeTo(name, names);
  if (close !== null) return [`  did you mean ${printable(close)}?`];
  return [`  this store has other elections: 'hustings leader' lists them`];
}
