/** Claims that a search of every schedule decides, and the command that makes the same search. */
import { twins } from '../algorithms/broken/twins.ts';
import { registry } from '../algorithms/registry.ts';
import { type CheckResult, check } from '../checker/check.ts';
import type { CheckOptions } from '../checker/check-options.ts';
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { formatFigure } from '../kernel/law-text.ts';
import { type Claim, type Study, study, verdictOf } from './claim.ts';
import type { Experiment } from './experiment.ts';

const PLAIN = [
  'order',
  'orders',
  'topology',
  'starts',
  'crashes',
  'recoveries',
  'losses',
  'reduce',
  'worst',
  'best',
] as const;

/** The command line of a search. */
export function searchLine(name: string, options: CheckOptions): string {
  const words = ['hustings', 'check', name];
  const say = (option: string, value: unknown): void => {
    if (value !== undefined) words.push(`--${option}`, String(value));
  };
  say('nodes', options.ids === undefined ? options.nodes : undefined);
  say('ids', Array.isArray(options.ids) ? options.ids.join(',') : undefined);
  for (const key of PLAIN) {
    say(key, options[key]);
  }
  say('initiators', Array.isArray(options.initiators) ? options.initiators.join(',') : options.initiators);
  for (const [key, value] of Object.entries(options.set ?? {})) say('set', `${key}=${value}`);
  for (const [key, value] of Object.entries(options.bound ?? {})) say('bound', `${key}=${value}`);
  if (options.fifo === false) words.push('--nofifo');
  return words.join(' ');
}

/** Every schedule of the algorithm elects one leader, known to all. */
export function searchStudy(
  claim: Omit<Claim, 'method'>,
  algorithm: AnyAlgorithm,
  options: CheckOptions,
  note?: string,
): Study {
  return study({ ...claim, method: 'every schedule' }, () => {
    const result = check(algorithm, options);
    const [violation] = result.violations;
    const why =
      note ?? (result.cut > 0 ? 'within the bounds of the search: beyond them nothing is said' : undefined);
    return {
      verdict: violation !== undefined ? 'refuted' : result.stopped === null ? 'confirmed' : 'undecided',
      measured: violation?.text ?? `no run of ${statesOf(result)} fails`,
      ...(why !== undefined && { why }),
      replay: searchLine(algorithm.name, options),
    };
  });
}

export interface CostClaim extends Omit<Claim, 'method'> {
  /** The figure is just what the dearest (cheapest) run costs; else no run costs more (less). */
  readonly isReached: boolean;
}

/** What the dearest or the cheapest of all schedules costs: `options` says which, of what, and over which orders. */
export function costStudy(
  algorithm: AnyAlgorithm,
  claimFor: (experiment: Experiment) => CheckOptions & { readonly figure: number },
  { isReached, ...claim }: CostClaim,
): Study {
  return study({ ...claim, method: 'every schedule' }, (experiment) => {
    const { figure, ...options } = claimFor(experiment);
    const result = check(algorithm, options);
    const found = result.worst ?? result.best;
    if (found === undefined || found === null || result.stopped !== null) {
      return { verdict: 'undecided', measured: '–', why: 'the search gave up before it had seen all runs' };
    }
    const { value } = found;
    const cost = value === 'unbounded' ? Number.POSITIVE_INFINITY : value;
    const isWithin = options.worst === undefined ? cost >= figure : cost <= figure;
    const extreme = options.worst === undefined ? 'cheapest' : 'dearest';
    return {
      verdict: verdictOf(isReached ? cost === figure : isWithin),
      measured: `n = ${result.n}: the ${extreme} of all runs costs ${value}, for ${figure}; ids ${found.ids.join(' ')}, ${statesOf(result)}`,
      replay: searchLine(algorithm.name, options),
    };
  });
}

/** That a line of an algorithm is needed: without it a search finds a run that fails, with it none. */
export function twinStudy(claim: Omit<Claim, 'method'>, name: string): Study {
  const twin = twins.find((each) => each.name === name);
  const right = registry.find((each) => each.name === twin?.of);
  if (twin === undefined || right === undefined) throw new RangeError(`there is no wrong twin ${name}`);
  return study({ ...claim, method: 'every schedule' }, () => {
    const wrong = check(twin.algorithm, twin.search);
    const kept = check(right, twin.search);
    const [violation] = wrong.violations;
    return {
      verdict: verdictOf(violation !== undefined && kept.violations.length === 0),
      measured: `without it: ${violation?.text ?? 'no run fails'}; with it no run of ${statesOf(kept)} fails`,
      why: twin.why,
      replay: searchLine(name, twin.search),
    };
  });
}

function statesOf({ states, instances }: CheckResult): string {
  const over = instances.all === 1 ? '' : ` in ${formatFigure(instances.all)} elections`;
  return `${formatFigure(states)} states${over}`;
}
