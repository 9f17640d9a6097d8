/**
 * The seed of a random test: fixed in `npm test`, new in each long run, and HUSTINGS_SEED if it is set, to repeat a run.
 * Amounts are per algorithm.
 */
import { isFull } from '../../../../test-kit/limits/effort.ts';

const { HUSTINGS_SEED } = process.env;

export const seed =
  HUSTINGS_SEED === undefined ? (isFull ? 1 + (Date.now() % 1_000_000) : 1) : Number(HUSTINGS_SEED);

/** The command that repeats a test of this file, by its name. */
export function repeatCommand(file: string, name: string): string {
  const script = isFull ? 'test:long' : 'test';
  return `HUSTINGS_SEED=${seed} npm run ${script} -- packages/study/test/verification/${file} -t '${name}'`;
}
