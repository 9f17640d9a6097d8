/**
 * Checks the declaration of an algorithm before anything runs. TypeScript checks the same at compile time; this check is
 * for files whose types were stripped.
 *
 * Guarantees: every handler exists and every assumption has a known value. Does not check laws or the behaviour of handlers.
 */
import type { AnyAlgorithm } from './algorithm.ts';
import { InputError } from './errors.ts';
import type { NodeInvariant } from './invariant.ts';

const VALUES = {
  network: ['one-way ring', 'ring', 'tree', 'connected', 'complete'],
  timing: ['asynchronous', 'bounded-delay', 'synchronous'],
  ids: ['unique', 'anonymous'],
} as const;

/** Throws unless the definition of an algorithm is consistent. */
export function checkDefinition(algorithm: AnyAlgorithm): void {
  const { assumes, messages, name, on, timers } = algorithm;
  const refuse = (problem: string): never => {
    throw new InputError(`algorithm ${String(name)}: ${problem}`);
  };
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name)) {
    refuse('name must be lower-case words joined by hyphens, as in my-election');
  }
  const given = algorithm as unknown as Readonly<Record<string, unknown>>;
  for (const key of ['title', 'source', 'cost']) {
    if (typeof given[key] !== 'string') refuse(`${key} must be a text, not ${String(given[key])}`);
  }
  for (const key of ['params', 'state', 'messages']) {
    if (typeof given[key] !== 'object' || given[key] === null) {
      refuse(`${key} must be declared: write ${key}: {} if there are none`);
    }
  }
  if (!Array.isArray(algorithm.laws)) refuse('laws must be a list: write laws: [] if there are none');
  for (const [key, values] of Object.entries(VALUES)) {
    const value = (assumes as Readonly<Record<string, unknown>> | undefined)?.[key];
    if (!(values as readonly unknown[]).includes(value)) {
      refuse(`assumes.${key} must be one of ${values.join(', ')}, not ${String(value)}`);
    }
  }
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
  for (const key of ['passive', 'phase', 'fragment'] as const) {
    if (!['function', 'undefined'].includes(typeof algorithm[key])) {
      refuse(`${key} must be a function of the state, not ${String(algorithm[key])}`);
    }
  }
  checkInvariants(algorithm, refuse);
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
