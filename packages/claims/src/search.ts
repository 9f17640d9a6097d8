/** Claims that model checking decides, and the command that repeats the search. */

import { formatFigure } from '@hustings/base';
import { asPrinted, registry, twins } from '@hustings/study/algorithms';
import { type CheckOptions, type CheckResult, check } from '@hustings/study/checker';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import { type Statement, type Study, study, verdictOf } from './claim.ts';

const PLAIN = [
  'order',
  'orders',
  'topology',
  'starts',
  'crashes',
  'recoveries',
  'losses',
  'reduce',
  'invariants',
  'worst',
  'best',
] as const;

/** The command line of a search. */
export function searchLine(name: string, options: CheckOptions): string {
  const parts = ['hustings', 'check', name];
  const add = (option: string, value: unknown): void => {
    if (value !== undefined) parts.push(`--${option}`, String(value));
  };
  add('nodes', options.ids === undefined ? options.nodes : undefined);
  add('ids', Array.isArray(options.ids) ? options.ids.join(',') : undefined);
  for (const key of PLAIN) {
    add(key, options[key]);
  }
  add('initiators', Array.isArray(options.initiators) ? options.initiators.join(',') : options.initiators);
  for (const [key, value] of Object.entries(options.set ?? {})) add('set', `${key}=${value}`);
  for (const [key, value] of Object.entries(options.bound ?? {})) add('bound', `${key}=${value}`);
  if (options.fifo === false) parts.push('--nofifo');
  return parts.join(' ');
}

/** Claims concern the election. Invariants of the network, which turn the reductions off, are not checked for them. */
function withReductions(algorithm: AnyAlgorithm, options: CheckOptions): CheckOptions {
  return algorithm.invariants?.network === undefined ? options : { ...options, invariants: 'node' };
}

/** Every schedule of the algorithm elects one leader, known to all nodes. */
export function searchStudy(
  algorithm: AnyAlgorithm,
  { search, ...claim }: Statement & { readonly search: CheckOptions },
): Study {
  const options = withReductions(algorithm, search);
  return study({
    ...claim,
    method: 'every schedule',
    measure() {
      const result = check(algorithm, options);
      const [violation] = result.violations;
      return {
        verdict: violation !== undefined ? 'refuted' : result.stopped === null ? 'confirmed' : 'undecided',
        measured: violation?.text ?? `no violation in ${statesOf(result)}`,
        ...(result.cut > 0 && { why: 'holds within the bounds of the search' }),
        replay: searchLine(algorithm.name, options),
      };
    },
  });
}

export interface CostClaim extends Statement {
  /** Number of nodes in a quick and in a full run. */
  readonly nodes: readonly [quick: number, full: number];
  /** The claimed cost for n nodes: exact if `isReached`, otherwise a bound. */
  readonly figure: (n: number) => number;
  readonly isReached: boolean;
  readonly search: CheckOptions;
}

/** The cost of the most or the least expensive run over all schedules, as the options select. */
export function costStudy(
  algorithm: AnyAlgorithm,
  { nodes, figure, isReached, search, ...claim }: CostClaim,
): Study {
  return study({
    ...claim,
    method: 'every schedule',
    measure(experiment) {
      const options = { ...search, nodes: experiment.some(...nodes) };
      const result = check(algorithm, options);
      const found = result.worst ?? result.best;
      if (found === undefined || found === null || result.stopped !== null) {
        return {
          verdict: 'undecided',
          measured: '–',
          why: 'the search reached a limit before it was complete',
        };
      }
      const { value } = found;
      const cost = value === 'unbounded' ? Number.POSITIVE_INFINITY : value;
      const claimed = figure(result.n);
      const isWithin = search.worst === undefined ? cost >= claimed : cost <= claimed;
      const extreme = search.worst === undefined ? 'cheapest' : 'most expensive';
      return {
        verdict: verdictOf(isReached ? cost === claimed : isWithin),
        measured: `n = ${result.n}: the ${extreme} run costs ${value}, claimed ${claimed}; ids ${found.ids.join(' ')}, ${statesOf(result)}`,
        replay: searchLine(algorithm.name, options),
      };
    },
  });
}

/** A line is needed: the wrong twin without it has a counterexample, the correct algorithm has none. */
export function twinStudy({ twin: name, ...claim }: Statement & { readonly twin: string }): Study {
  const twin = twins.find((each) => each.name === name);
  const right = registry.find((each) => each.name === twin?.of);
  if (twin === undefined || right === undefined) throw new RangeError(`there is no wrong twin ${name}`);
  return study({
    ...claim,
    method: 'every schedule',
    measure() {
      const [violation] = check(twin.algorithm, twin.search).violations;
      const kept = check(right, withReductions(right, twin.search));
      return {
        verdict: verdictOf(violation !== undefined && kept.violations.length === 0),
        measured: `without it: ${violation?.text ?? 'no violation'}; with it: no violation in ${statesOf(kept)}`,
        why: twin.why,
        replay: searchLine(name, twin.search),
      };
    },
  });
}

/** The algorithm that a source prints, by its name. */
export function printedAlgorithm(name: string): AnyAlgorithm {
  const printed = asPrinted.find((each) => each.name === name);
  if (printed === undefined) throw new RangeError(`there is no printed algorithm ${name}`);
  return printed.algorithm;
}

/** The program elects correctly as the source prints it. */
export function printedStudy(
  claimed: Statement & { readonly printed: string; readonly search: CheckOptions; readonly why: string },
): Study {
  const { printed, search, why, ...claim } = claimed;
  return study({
    ...claim,
    method: 'every schedule',
    measure() {
      const result = check(printedAlgorithm(printed), search);
      const [violation] = result.violations;
      return {
        verdict: verdictOf(violation === undefined && result.complete),
        measured: `as printed: ${violation?.text ?? `no violation in ${statesOf(result)}`}`,
        why,
        replay: searchLine(printed, search),
      };
    },
  });
}

function statesOf({ states, instances }: CheckResult): string {
  const over = instances.all === 1 ? '' : ` in ${formatFigure(instances.all)} elections`;
  return `${formatFigure(states)} states${over}`;
}
