/** The result of a search as text: its scope, its size, its verdict, and the counterexample if there is one. */

import { counted, formatFigure, wrap } from '@hustings/base';
import { pageWidth, type Screen } from '@hustings/base/command/terminal';
import {
  type CheckOptions,
  type CheckResult,
  type Counterexample,
  type Reduction,
  startsOf,
} from '../../checker/index.ts';
import type { Setup } from '../../kernel/driver.ts';
import type { AnyAlgorithm } from '../../kernel/index.ts';
import { networkOf, paramTexts } from './summary.ts';

export function reportCheck(
  setup: Setup,
  options: CheckOptions,
  result: CheckResult,
  { width, paint }: Screen,
): string[] {
  const { algorithm, topology, ids } = setup;
  const { n, states, transitions, terminal } = result;
  const where = [`${figureOf(n, 'node')} on ${networkOf(topology)}`, 'every schedule', ...paramTexts(setup)];
  const title = `${algorithm.title}: ${where.join(', ')}`;
  const figures =
    `${figureOf(states, 'state')}, ${figureOf(transitions, 'transition')}, ` +
    `${figureOf(terminal, 'terminal state')}.`;
  const paragraph = `Explored ${scopeOf(algorithm, ids, options)}: ${figures} ${conclusion(result, options)}`;
  return [
    paint('strong', title),
    ...[
      paragraph,
      ...presetText(result),
      ...leastText(result),
      ...invariantText(algorithm, result),
      ...detectionText(result),
    ].flatMap((text) => wrap(text, pageWidth({ width }))),
  ];
}

/** The search that the algorithm defines, and what it switches off. */
function presetText({ preset }: CheckResult): string[] {
  if (preset === null) return [];
  return [`Preset ${preset.name}${preset.off === null ? '' : `: ${preset.off}`}.`];
}

function leastText({ leastParams, params }: CheckResult): string[] {
  if (leastParams.length === 0) return [];
  const values = leastParams.map((name) => `${name} = ${params[name]}`).join(', ');
  return [
    `Lengths of timers make no difference to an asynchronous search: a running timer may fire at any step. So ${values}.`,
  ];
}

/** Which invariants of the algorithm were checked, and which were not. */
function invariantText(algorithm: AnyAlgorithm, { invariants: checked }: CheckResult): string[] {
  const { node = {}, network = {} } = algorithm.invariants ?? {};
  const left = Object.keys({ ...node, ...network }).filter((name) => !checked.includes(name));
  return [
    ...(checked.length > 0 ? [`Invariants checked: ${checked.join(', ')}.`] : []),
    ...(left.length > 0
      ? [`Invariants not checked: ${left.join(', ')}. Use --invariants all to check them.`]
      : []),
  ];
}

function detectionText({ failureDetection }: CheckResult): string[] {
  return failureDetection === null ? [] : [`Failure detection: ${failureDetection}`];
}

/** One line for each reason why the result is not a proof. `presets` are the searches of the algorithm that do end. */
export function warningsOf(result: CheckResult, presets: readonly string[] = []): string[] {
  const { completeDepth, cut, instances, exact, states, stopped, termination, transitions } = result;
  const warnings: string[] = [];
  if (result.violations.length > 0) return warnings;
  if (stopped !== null) {
    const [what] = STOPS[stopped];
    const among =
      instances.all > 1
        ? `, in instance ${formatFigure(instances.searched + 1)} of ${formatFigure(instances.all)}`
        : '';
    const depth =
      completeDepth === null
        ? 'before it had all initial states'
        : `complete to depth ${formatFigure(completeDepth)}`;
    warnings.push(
      `incomplete: the search ${what} after expanding ${formatFigure(states - cut)} of ` +
        `${formatFigure(states)} states and ${figureOf(transitions, 'transition')}${among}, ${depth}: no violation so ` +
        `far; ${['not a proof', ...remediesOf(result, presets)].join('; ')}`,
    );
    if (isBarelyExpanded(result)) warnings.push(BARELY_EXPANDED);
  } else if (cut > 0) {
    warnings.push(
      `within the bounds only: ${figureOf(cut, 'state')} beyond them ${cut === 1 ? 'was' : 'were'} not expanded`,
    );
  }
  if (result.vacuous) warnings.push(NOBODY_ELECTED);
  if (termination === 'unchecked' && stopped === null) {
    warnings.push(
      exact
        ? 'declared non-terminating (horizon): livelocks were not checked'
        : 'incomplete: the state graph may have cycles, so termination needs an exact search, without --fingerprints',
    );
  }
  if (!exact) warnings.push('not exact: states were compared by 64-bit fingerprints');
  for (const extreme of ['worst', 'best'] as const) {
    if (result[extreme] !== null) continue;
    const why = result.complete
      ? 'it needs more states than the limits allow; raise --states or --memory'
      : 'no search was complete';
    warnings.push(`the ${extreme} cost is unknown: ${why}`);
  }
  return warnings.map((text) => `warning: ${text}`);
}

/** What to do about a search that was stopped. A limit that is not the cause is not to be raised. */
function remediesOf(result: CheckResult, presets: readonly string[]): string[] {
  const { preset, stopped } = result;
  if (stopped === null || stopped === 'interrupt') return [];
  const ending = preset === null && presets.length > 0 ? [`search a preset with --preset ${presets[0]}`] : [];
  return isBarelyExpanded(result) ? ending : [STOPS[stopped][1], ...ending];
}

/** Raising the limit of states helps little if each of few states has very many successors. */
function isBarelyExpanded({ cut, states, stopped }: CheckResult): boolean {
  return (stopped === 'states' || stopped === 'memory') && states > MIN_JUDGED && states - cut < states / 100;
}

const NOBODY_ELECTED =
  'nobody is elected: in no explored state is there a leader that all live nodes follow, so the properties hold for want of an ' +
  'election';

const MIN_JUDGED = 10_000;

const BARELY_EXPANDED =
  'hardly any state was expanded, because each has very many successors: random draws or large parameters are the cause, ' +
  'not the limit; take smaller ones with --set';

export function reportViolation(
  found: Counterexample,
  narration: readonly string[],
  anonymous: boolean,
  { paint }: Screen,
): string[] {
  return [
    `${paint('bad', `✗ ${violationTitle(found.property)}`)}: ${found.text}`,
    instanceLine(found, anonymous),
    ...narration,
  ];
}

/** The ids and the initiators of a run. */
export function instanceLine(
  { ids, initiators }: Pick<Counterexample, 'ids' | 'initiators'>,
  anonymous: boolean,
): string {
  const nodes = anonymous
    ? `${figureOf(ids.length, 'node')} without ids`
    : `${ids.length === 1 ? 'id' : 'ids by position'} ${ids.join(', ')}`;
  return `  ${nodes}; ${listed('initiator', initiators)}`;
}

export function violationTitle(property: string): string {
  return property === 'handler' ? 'a handler failed' : `${property} is violated`;
}

function scopeOf(algorithm: AnyAlgorithm, ids: Int32Array, options: CheckOptions): string {
  const { assumes } = algorithm;
  const { initiators = 'all', fifo = assumes.fifo } = options;
  const order =
    assumes.ids === 'anonymous'
      ? 'nodes without ids'
      : options.orders === 'all'
        ? 'all orders of the ids'
        : `the ${listed('id', Array.from(ids))}`;
  const who =
    initiators === 'all'
      ? 'all nodes initiating'
      : initiators === 'subsets'
        ? 'all sets of initiators'
        : listed('initiator', initiators);
  const timing =
    assumes.timing === 'bounded-delay'
      ? [`delays up to ${options.delay ?? 1}`, ...(options.suspect ? ['timers that may fire early'] : [])]
      : [];
  const faults = (['crashes', 'recoveries', 'losses'] as const)
    .filter((kind) => (options[kind] ?? 0) > 0)
    .map((kind) => (options[kind] === 1 ? `at most one ${ONE[kind]}` : `at most ${options[kind]} ${kind}`));
  return [
    order,
    who,
    STARTS[options.starts ?? startsOf(algorithm)],
    fifo ? 'FIFO links' : 'non-FIFO links',
    ...timing,
    ...faults,
  ].join(', ');
}

/** Why a search stopped, and the remedy. */
const STOPS = {
  states: ['reached the limit of states', 'raise --states, set a --bound, or take fewer nodes'],
  memory: ['reached the limit of memory', 'raise --memory, use --fingerprints, or take fewer nodes'],
  interrupt: ['was interrupted', ''],
  numbers: [
    'found too many different node states or link contents',
    'bound a counter with --bound, or take fewer nodes',
  ],
  draws: [
    'met a step whose random draws have too many outcomes',
    'take smaller parameters with --set, or draw from fewer numbers',
  ],
} as const;

const ONE = { crashes: 'crash', recoveries: 'recovery', losses: 'loss' } as const;

const STARTS = {
  free: 'starts at any time',
  first: 'starts before any delivery',
  together: 'starts together',
} as const;

/** Everything was searched, within the bounds if there are any. */
export function isComplete({ complete, cut, exact, stopped, termination }: CheckResult): boolean {
  return complete || (stopped === null && cut > 0 && (exact || termination !== 'unchecked'));
}

function conclusion(result: CheckResult, { bound = {} }: CheckOptions): string {
  const { complete, reductions, stopped, violations } = result;
  if (violations.length > 0) {
    const shorter = ' The search for a shorter one was stopped.';
    return `The search ended at a counterexample.${stopped === null ? '' : shorter}`;
  }
  const bounds = Object.entries(bound).map(([name, most]) => `${name} ≤ ${most}`);
  const verdict = complete
    ? result.vacuous
      ? 'Complete, but no schedule elects anybody.'
      : 'Complete: no schedule violates a property.'
    : isComplete(result)
      ? `Complete within the bounds ${bounds.join(', ')}: no schedule violates a property there.`
      : 'No counterexample was found.';
  return [verdict, ...terminationText(result), ...reductionText(reductions)].join(' ');
}

/** Which question about termination was answered, for a search without a violation. */
function terminationText({ cut, termination }: CheckResult): string[] {
  const unless = cut > 0 ? ' or exceeds a bound' : '';
  if (termination === 'sure') return [`Every weakly fair run terminates${unless}.`];
  if (termination === 'unchecked') return [];
  return [`Under every weakly fair scheduler a run terminates${unless} with probability 1.`];
}

function reductionText(reductions: readonly Reduction[]): string[] {
  if (reductions.length === 0) return [];
  return [REDUCTIONS[reductions.length === 2 ? 'both' : reductions[0]]];
}

const REDUCTIONS = {
  'partial-order': 'Partial-order reduction was used.',
  symmetry: 'Symmetry reduction was used.',
  both: 'Partial-order and symmetry reduction were used.',
} as const;

/** 'ids 3, 1' or 'id 3'. */
function listed(what: string, values: readonly number[]): string {
  return `${what}${values.length === 1 ? '' : 's'} ${values.join(', ')}`;
}

const figureOf = (count: number, what: string): string => counted(formatFigure(count), what);
