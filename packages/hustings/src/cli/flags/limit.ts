/** `--limit`: the largest number of rows of a list. */
import { InputError, parseNumber } from '@hustings/base';

export const DEFAULT_LIMIT = 20;

export function parseLimit(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : parseNumber('limit', text, 'a number, as in 20');
  if (Number.isSafeInteger(limit) && limit > 0 && limit < 2 ** 31) return limit;
  throw new InputError(`--limit must be a whole number from 1, not '${text}'`);
}
