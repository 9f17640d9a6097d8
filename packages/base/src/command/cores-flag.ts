import { parseNumber, refuse } from '../option-value.ts';

const MAX_CORES = 1024;

/** Undefined if `--cores` is not given. */
export function readCores(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const cores = parseNumber('cores', text, 'a number, as in 2');
  if (!Number.isInteger(cores) || cores < 1 || cores > MAX_CORES) {
    refuse('cores', `a whole number from 1 to ${MAX_CORES}`, text);
  }
  return cores;
}
