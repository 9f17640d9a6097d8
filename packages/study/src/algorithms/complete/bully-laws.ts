/**
 * Laws of elections after the crash of the coordinator: process n has crashed, and some of the others have detected
 * it.
 */
import { exact, type Law, type RunFacts } from '../../kernel/index.ts';

/** Processes are numbered 1..n in the order of their ids. `detectors` is in ascending order. */
type BullyLawValue = (run: RunFacts, detectors: readonly number[]) => number | undefined;

/** A law for runs in which only n has crashed. */
export function withoutCoordinator(measure: Law['measure'], formula: string, value: BullyLawValue): Law {
  return law(measure, formula, value, 1, 'in lockstep, only n crashed, i is the smallest detector');
}

/** A law for runs in which only the two largest have crashed. */
export function withoutTwoLargest(measure: Law['measure'], formula: string, value: BullyLawValue): Law {
  return law(measure, formula, value, 2, 'in lockstep, only n and n−1 crashed, i is the only detector');
}

function law(
  measure: Law['measure'],
  formula: string,
  value: BullyLawValue,
  dead: number,
  when: string,
): Law {
  return exact(measure, formula, when, (run) => {
    const { ids, initiators, lockstep, n, faultless, boundedDelay } = run;
    if (!lockstep || !faultless || !boundedDelay || run.dead.length !== dead || dead >= n) return undefined;
    if (run.dead.some((position) => numberOf(ids, position) <= n - dead)) return undefined;
    const detectors = Array.from(initiators, (position) => numberOf(ids, position))
      .filter((number) => number <= n - dead)
      .sort((one, other) => one - other);
    return detectors.length === 0 ? undefined : value(run, detectors);
  });
}

/** 1 for the smallest id, n for the largest. */
function numberOf(ids: Int32Array, position: number): number {
  const own = ids[position];
  let number = 1;
  for (let at = 0; at < ids.length; at++) if (ids[at] < own) number++;
  return number;
}

export function timeoutOf({ params }: RunFacts): number {
  return Number(params.timeout);
}
