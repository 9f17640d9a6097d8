/**
 * Checks the declaration of an algorithm before anything runs. TypeScript checks the same at compile time; this check is
 * for files whose types were stripped.
 *
 * Guarantees: every handler exists, every part and every assumption is known, and every field and message is declared as one. Does not check the values of laws or the behaviour of handlers.
 */
import { suggestion } from '@hustings/base';
import type { AnyAlgorithm } from './algorithm.ts';
import type { CheckPreset } from './check-preset.ts';
import { InputError } from './errors.ts';
import type { NodeInvariant } from './invariant.ts';
import { isBuiltIn, type Law } from './law.ts';
import { MEASURE_NAMES } from './law-text.ts';
import type { CustomMeasure } from './measure.ts';
import type { Param, Setting } from './params.ts';

const VALUES = {
  network: ['one-way ring', 'ring', 'tree', 'connected', 'complete'],
  timing: ['asynchronous', 'bounded-delay', 'synchronous'],
  ids: ['unique', 'anonymous'],
} as const;

const LISTS = {
  knows: ['n', 'diameter', 'neighbours', 'time'],
  faults: ['crash', 'recover', 'loss', 'duplication', 'partition'],
} as const;

const ASSUMPTIONS: readonly string[] = [...Object.keys(VALUES), ...Object.keys(LISTS), 'fifo', 'mayErr'];

/** The compiler finds a part that is missing here. */
const PARTS: Readonly<Record<keyof AnyAlgorithm, true>> = {
  name: true,
  title: true,
  source: true,
  cost: true,
  assumes: true,
  trigger: true,
  startOnMessage: true,
  params: true,
  state: true,
  messages: true,
  timers: true,
  measures: true,
  overlay: true,
  crashLimit: true,
  laws: true,
  horizon: true,
  standing: true,
  termField: true,
  voteField: true,
  onStart: true,
  on: true,
  onTimer: true,
  onUndelivered: true,
  onRestart: true,
  checking: true,
  invariants: true,
  passive: true,
  phase: true,
  fragment: true,
  tree: true,
  weight: true,
};

/** Every run checks its algorithm, and most algorithms have many runs. */
const consistent = new WeakSet<AnyAlgorithm>();

/** Throws unless the definition of an algorithm is consistent. */
export function checkDefinition(algorithm: AnyAlgorithm): void {
  if (consistent.has(algorithm)) return;
  refuseInconsistent(algorithm);
  consistent.add(algorithm);
}

function refuseInconsistent(algorithm: AnyAlgorithm): void {
  const { assumes, messages, name, on, timers } = algorithm;
  const refuse = (problem: string): never => {
    throw new InputError(`algorithm ${String(name)}: ${problem}`);
  };
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name)) {
    refuse('name must be lower-case words joined by hyphens, as in my-election');
  }
  const given = algorithm as unknown as Readonly<Record<string, unknown>>;
  for (const part of Object.keys(given)) {
    if (!Object.hasOwn(PARTS, part))
      refuse(
        `'${part}' is not a part of a definition: remove it, or correct its name${suggestion(part, Object.keys(PARTS))}`,
      );
  }
  for (const key of ['title', 'source', 'cost']) {
    if (typeof given[key] !== 'string') refuse(`${key} must be a text, not ${String(given[key])}`);
  }
  for (const key of ['params', 'state', 'messages']) {
    if (typeof given[key] !== 'object' || given[key] === null) {
      refuse(`${key} must be declared: write ${key}: {} if there are none`);
    }
  }
  if (!Array.isArray(algorithm.laws)) refuse('laws must be a list: write laws: [] if there are none');
  if (timers !== undefined && !Array.isArray(timers))
    refuse("timers must be a list of names, as in ['patience']");
  for (const [key, values] of Object.entries(VALUES)) {
    const value = (assumes as Readonly<Record<string, unknown>> | undefined)?.[key];
    if (!(values as readonly unknown[]).includes(value)) {
      refuse(`assumes.${key} must be one of ${values.join(', ')}, not ${String(value)}`);
    }
  }
  for (const key of Object.keys(assumes)) {
    if (!ASSUMPTIONS.includes(key)) refuse(`assumes.${key} is unknown: assume ${ASSUMPTIONS.join(', ')}`);
  }
  for (const [key, values] of Object.entries(LISTS)) {
    const value = (assumes as unknown as Readonly<Record<string, unknown>>)[key] ?? [];
    const wrong = Array.isArray(value)
      ? value.filter((each) => !(values as readonly unknown[]).includes(each))
      : [value];
    if (wrong.length > 0)
      refuse(`assumes.${key} must be a list of ${values.join(', ')}, not ${wrong.join(', ')}`);
  }
  checkFields(algorithm, refuse);
  if (![undefined, true].includes(algorithm.startOnMessage)) {
    refuse(`startOnMessage must be true or absent, not ${String(algorithm.startOnMessage)}`);
  }
  if (assumes.knows?.includes('time') && assumes.timing !== 'synchronous') {
    refuse("assumes.knows must not have 'time', which only synchronous nodes know: use a timer");
  }
  if (typeof algorithm.onStart !== 'function')
    refuse('onStart must be a function: it runs at the initiators');
  for (const type of Object.keys(messages)) {
    if (typeof on?.[type] !== 'function') refuse(`message '${type}' must have a handler: write on.${type}`);
  }
  for (const type of Object.keys(on ?? {})) {
    if (!Object.hasOwn(messages, type))
      refuse(`on.${type} must handle a declared message: declare '${type}' in messages`);
  }
  if ((timers?.length ?? 0) > 0 && typeof algorithm.onTimer !== 'function') {
    refuse(`timer '${timers?.[0]}' must have a handler: write onTimer`);
  }
  for (const key of ['passive', 'phase', 'fragment', 'tree', 'weight'] as const) {
    if (!['function', 'undefined'].includes(typeof algorithm[key])) {
      refuse(`${key} must be a function of the state, not ${String(algorithm[key])}`);
    }
  }
  if (!['function', 'undefined'].includes(typeof algorithm.standing)) {
    refuse(`standing must be a function of the state, not ${String(algorithm.standing)}`);
  }
  const { termField, voteField } = algorithm;
  if (termField !== undefined && algorithm.state[termField]?.durable !== true)
    refuse(`termField must name a durable field of the state, not ${String(termField)}`);
  // A twin shows what happens to a vote that is not durable.
  if (voteField !== undefined && !(voteField in algorithm.state))
    refuse(`voteField must name a field of the state, not ${String(voteField)}`);
  checkParams(algorithm, refuse);
  checkMeasures(algorithm, refuse);
  checkLaws(algorithm, refuse);
  checkInvariants(algorithm, refuse);
  checkPresets(algorithm, refuse);
}

function checkParams({ params, timers }: AnyAlgorithm, refuse: (problem: string) => never): void {
  for (const [name, declared] of Object.entries(
    params as Readonly<Record<string, Partial<Param<Setting>> | null>>,
  )) {
    if (!['integer', 'flag', 'choice'].includes(declared?.kind ?? ''))
      refuse(
        `params.${name} must be a parameter, as in onOff('what it does') or integer('…', { min, max, byDefault })`,
      );
    if (declared?.onlyTimers === true && !((timers?.length ?? 0) > 0))
      refuse(`params.${name} must not have onlyTimers: there are no timers`);
  }
}

/** The measures that a law may be about. */
const MEASURES = Object.keys(MEASURE_NAMES);

function checkLaws(
  { laws, measures = {}, messages }: AnyAlgorithm,
  refuse: (problem: string) => never,
): void {
  for (const { formula, measure, value } of laws as readonly Law[]) {
    const about = (name: string, known: readonly string[], what: string): void => {
      if (known.includes(name)) return;
      const has = known.length > 0 ? `the ${what} are ${known.join(', ')}` : `it has no ${what}`;
      refuse(`law ${formula} is about '${name}': ${has}${suggestion(name, known)}`);
    };
    if (typeof measure === 'string') about(measure, MEASURES, 'measures');
    else if (typeof measure !== 'object' || measure === null)
      refuse(`law ${formula} must have a measure, as in 'election'`);
    else if ('messages' in measure) about(measure.messages, Object.keys(messages), 'messages');
    else about(measure.own, Object.keys(measures), 'own measures');
    if (typeof value !== 'function')
      refuse(`law ${formula} must end with a function of the run, as in ({ n }) => n`);
  }
}

function checkMeasures({ measures = {} }: AnyAlgorithm, refuse: (problem: string) => never): void {
  for (const [name, declared] of Object.entries(
    measures as Readonly<Record<string, Partial<CustomMeasure> | null>>,
  )) {
    if (!/^[a-z][A-Za-z0-9]*$/.test(name))
      refuse(`measure '${name}' must have a name of letters and digits, as in phases`);
    if (isBuiltIn(name)) refuse(`measure '${name}' has a name that is taken: choose another`);
    if (declared?.type !== 'total' && declared?.type !== 'largest') {
      refuse(`measures.${name} must be a measure, as in total('comparisons') or largest('phases')`);
    }
    if (typeof declared?.about !== 'string')
      refuse(`measures.${name} must say what it measures, as in total('comparisons')`);
  }
}

function checkFields({ messages, state }: AnyAlgorithm, refuse: (problem: string) => never): void {
  const isField = (value: unknown): boolean => typeof (value as { kind?: unknown } | null)?.kind === 'string';
  const fieldText = 'must be a field, as in counter(10), flag() or id()';
  for (const [name, value] of Object.entries(state)) {
    if (!isField(value)) refuse(`state.${name} ${fieldText}`);
  }
  for (const [type, declared] of Object.entries(
    messages as Readonly<Record<string, { fields?: unknown } | null>>,
  )) {
    const fields = declared?.fields;
    if (!Array.isArray(fields)) refuse(`messages.${type} must be a message, as in message(['id', id()])`);
    for (const pair of fields as unknown[]) {
      const [name, value] = Array.isArray(pair) ? pair : [];
      if (typeof name !== 'string')
        refuse(`messages.${type} takes pairs of a name and a field, as in ['id', id()]`);
      if (!isField(value)) refuse(`field ${name} of messages.${type} ${fieldText}`);
    }
  }
}

function checkPresets({ checking = {} }: AnyAlgorithm, refuse: (problem: string) => never): void {
  const named = Object.entries(checking as Readonly<Record<string, Partial<CheckPreset> | null>>);
  for (const [name, preset] of named) {
    if (!/^[a-z][a-z0-9-]*$/.test(name) || name === 'none')
      refuse(`preset '${name}' must have a name of words in lower case, joined by hyphens, and not none`);
    const { nodes } = preset ?? {};
    if (!Number.isInteger(nodes) || Number(nodes) < 1)
      refuse(`checking.${name}.nodes must be a whole number from 1, not ${String(nodes)}`);
  }
}

/** Names under which something else is reported, or which the choice of invariants understands. */
const RESERVED = ['termination', 'uniqueness', 'agreement', 'handler', 'all', 'node', 'none'];

function checkInvariants({ invariants = {} }: AnyAlgorithm, refuse: (problem: string) => never): void {
  const seen = new Set<string>(RESERVED);
  for (const [scope, named] of Object.entries(invariants)) {
    if (scope !== 'node' && scope !== 'network')
      refuse(`invariants are of a node or of the network, not of ${scope}`);
    const entries = Object.entries(named ?? {}) as [string, Partial<NodeInvariant> | null][];
    for (const [name, invariant] of entries) {
      if (!/^[a-z][a-z0-9-]*$/.test(name)) {
        refuse(`invariant '${name}' must have a name of words in lower case, joined by hyphens`);
      }
      if (seen.has(name)) refuse(`invariant '${name}' has a name that is taken: choose another`);
      seen.add(name);
      if (typeof invariant?.statement !== 'string' || invariant.statement === '') {
        refuse(`invariant '${name}' has no statement: say in one sentence what holds`);
      }
      if (typeof invariant?.holds !== 'function') refuse(`invariant '${name}' has no predicate: write holds`);
    }
  }
}
