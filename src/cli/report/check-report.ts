/** What a search came to, for people: what was searched and how much of it, and the run that goes wrong, if there is one. */
import { type CheckOptions, type CheckResult, startsOf } from '../../checker/index.ts';
import type { Setup } from '../../kernel/driver.ts';
import type { AnyAlgorithm } from '../../kernel/index.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import { wrap } from '../table.ts';
import type { Screen } from '../terminal.ts';
import type { Counterexample } from './counterexample-file.ts';
import { networkOf } from './summary.ts';

const PAGE_WIDTH = 100;

export function reportCheck(
  { algorithm, topology, ids }: Setup,
  options: CheckOptions,
  result: CheckResult,
  { width, paint }: Screen,
): string[] {
  const { n, states, transitions, terminal } = result;
  const title = `${algorithm.title}: ${counted(n, 'node')} on ${networkOf(topology)}, every schedule`;
  const figures =
    `${counted(states, 'state')}, ${counted(transitions, 'transition')}, ` +
    `${terminal === 1 ? '1 end' : `${formatFigure(terminal)} ends`}.`;
  const paragraph = `Searched ${scopeOf(algorithm, ids, options)}: ${figures} ${conclusion(result)}`;
  return [paint('strong', title), ...wrap(paragraph, Math.min(width, PAGE_WIDTH))];
}

/** What was not covered is no proof: the lines say what it is. Empty if all was. */
export function warningsOf({
  best,
  cut,
  instances,
  exact,
  liveness,
  states,
  stopped,
  violations,
  worst,
}: CheckResult): string[] {
  const warnings: string[] = [];
  if (violations.length > 0) return warnings;
  if (stopped !== null) {
    const [what, remedy] = STOPS[stopped];
    const among =
      instances.all > 1
        ? `, in election ${formatFigure(instances.searched + 1)} of ${formatFigure(instances.all)}`
        : '';
    warnings.push(
      `not complete: the search ${what} with ${formatFigure(states - cut)} of ` +
        `${formatFigure(states)} states looked into${among}; ${remedy}, or take fewer nodes`,
    );
  } else if (cut > 0) {
    warnings.push(
      `not complete: ${counted(cut, 'state')} beyond the bounds ${cut === 1 ? 'was' : 'were'} cut`,
    );
  }
  if (!liveness && stopped === null) {
    warnings.push(
      exact
        ? 'the algorithm never rests, by its own word: no end was asked of its runs'
        : 'not complete: runs may go round, and whether they end takes an exact search, without --fingerprints',
    );
  }
  if (!exact) warnings.push('not exact: states were told apart by 64 bits of each');
  for (const [extreme, run] of [
    ['worst', worst],
    ['best', best],
  ] as const) {
    if (run === null) warnings.push(`what runs cost at ${extreme} is not known: no search came to its end`);
  }
  return warnings.map((text) => `warning: ${text}`);
}

export function reportViolation(
  found: Counterexample,
  story: readonly string[],
  anonymous: boolean,
  { paint }: Screen,
): string[] {
  return [
    `${paint('bad', `✗ ${breakOf(found.property)}`)}: ${found.text}`,
    `  ${anonymous ? `${found.ids.length} nodes without ids` : `ids by position ${found.ids.join(', ')}`}; initiators ${found.initiators.join(', ')}`,
    ...story,
  ];
}

/** What is broken, as a reader would say it. */
export function breakOf(property: string): string {
  return property === 'handler' ? 'a handler failed' : `${property} is broken`;
}

function scopeOf(algorithm: AnyAlgorithm, ids: Int32Array, options: CheckOptions): string {
  const { assumes } = algorithm;
  const { initiators = 'all', fifo = assumes.fifo } = options;
  const order =
    assumes.ids === 'anonymous'
      ? 'nodes without ids'
      : options.orders === 'all'
        ? 'every order of the ids'
        : `the ids ${ids.join(', ')}`;
  const who =
    initiators === 'all'
      ? 'all nodes initiating'
      : initiators === 'subsets'
        ? 'every set of initiators'
        : `initiators ${initiators.join(', ')}`;
  const timing =
    assumes.timing === 'bounded-delay'
      ? [`delays of up to ${options.delay ?? 1}`, ...(options.suspect ? ['timers that may fire early'] : [])]
      : [];
  const faults = (['crashes', 'recoveries', 'losses'] as const)
    .filter((kind) => (options[kind] ?? 0) > 0)
    .map((kind) => (options[kind] === 1 ? `at most one ${ONE[kind]}` : `at most ${options[kind]} ${kind}`));
  return [
    order,
    who,
    STARTS[options.starts ?? startsOf(algorithm)],
    fifo ? 'FIFO links' : 'links that keep no order',
    ...timing,
    ...faults,
  ].join(', ');
}

/** Why a search gave up, and what to do. */
const STOPS = {
  states: ['met its limit of states', 'raise --states'],
  memory: ['met its limit of memory', 'raise --memory, or take --fingerprints'],
  numbers: ['ran out of numbers for what nodes and links may hold', 'cut a counter with --bound'],
} as const;

const ONE = { crashes: 'crash', recoveries: 'recovery', losses: 'loss' } as const;

const STARTS = {
  free: 'starts at any moment',
  first: 'starts before any message',
  together: 'starts together',
} as const;

function conclusion({ complete, reduced, violations }: CheckResult): string {
  if (violations.length > 0) return 'The search ended at a counterexample.';
  if (!complete) return 'No counterexample among them.';
  const by = reduced ? ' Steps that commute were taken in one order, which stands for all.' : '';
  return `Complete: there is no schedule in which the election fails.${by}`;
}

function counted(count: number, what: string): string {
  return `${formatFigure(count)} ${what}${count === 1 ? '' : 's'}`;
}
