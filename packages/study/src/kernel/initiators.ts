/** The one check of the initiators that a caller names. */
import { InputError } from './errors.ts';

/** `keys` tell the entries apart, where a position may start more than once. */
export function checkInitiators(
  positions: readonly number[],
  n: number,
  keys: readonly (number | string)[] = positions,
): void {
  if (positions.length === 0) throw new InputError('initiators must not be empty: name one, as in 0,2');
  const seen = new Set<number | string>();
  for (let k = 0; k < positions.length; k++) {
    const at = positions[k];
    if (!Number.isInteger(at) || at < 0 || at >= n) {
      throw new InputError(`an initiator must be a position from 0 to ${n - 1}, not ${at}`);
    }
    if (seen.has(keys[k])) throw new InputError(`initiators must differ, and ${keys[k]} is given twice`);
    seen.add(keys[k]);
  }
}
