/** `--token-from`: the largest token that a store gave out before. */
import { InputError } from '../../../base/hustings-error.ts';

/** Stores keep tokens as signed 64-bit numbers: half of them stay free for later terms. */
const MOST = 2n ** 62n;

export function parseTokenFrom(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const token = /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
  if (token >= 1n && token <= MOST) return token;
  throw new InputError(`--token-from must be a token, a whole number from 1 to ${MOST}, not '${text}'`);
}
