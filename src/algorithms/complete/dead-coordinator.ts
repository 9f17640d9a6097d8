/** Laws of elections that a dead coordinator calls for: process n is dead, and some of the others have noticed. */
import type { Law, RunFacts } from '../../kernel/index.ts';

/** Processes are numbered as in 1..n, whatever their ids are; those that noticed come in ascending order. */
export type Figure = (run: RunFacts, noticed: readonly number[]) => number | undefined;

/** A law for runs in which n alone is dead. */
export function exact(measure: Law['measure'], formula: string, figure: Figure): Law {
  return law(measure, formula, figure, 1, 'in lockstep, n alone is dead, and i is the smallest that noticed');
}

/** A law for runs in which the two largest are dead. */
export function exactWithoutTwo(measure: Law['measure'], formula: string, figure: Figure): Law {
  return law(measure, formula, figure, 2, 'in lockstep, n and n−1 alone are dead, and i alone noticed');
}

function law(measure: Law['measure'], formula: string, figure: Figure, dead: number, when: string): Law {
  return {
    measure,
    kind: 'exact',
    formula,
    when,
    value: (run) => {
      const { ids, initiators, lockstep, n, smooth, boundedDelay } = run;
      if (!lockstep || !smooth || !boundedDelay || run.dead.length !== dead || dead >= n) return undefined;
      if (run.dead.some((position) => numberOf(ids, position) <= n - dead)) return undefined;
      const noticed = Array.from(initiators, (position) => numberOf(ids, position))
        .filter((number) => number <= n - dead)
        .sort((one, other) => one - other);
      return noticed.length === 0 ? undefined : figure(run, noticed);
    },
  };
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
