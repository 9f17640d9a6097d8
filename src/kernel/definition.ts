/**
 * Is an algorithm whole? The type checker asks the same of TypeScript; this asks it of everybody, once per
 * algorithm and before anything runs, so that a slip is told in words and not found in the middle of an election.
 */
import type { AnyAlgorithm } from './algorithm.ts';
import { InputError } from './errors.ts';

const WORDS = {
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
    refuse('its name must be words in lower case, joined by hyphens, as in chang-roberts');
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
  for (const [key, words] of Object.entries(WORDS)) {
    const word = (assumes as Readonly<Record<string, unknown>> | undefined)?.[key];
    if (!(words as readonly unknown[]).includes(word)) {
      refuse(`assumes.${key} must be one of ${words.join(', ')}, not ${String(word)}`);
    }
  }
  if (![undefined, true].includes(algorithm.startOnMessage)) {
    refuse(`startOnMessage must be true or absent, not ${String(algorithm.startOnMessage)}`);
  }
  if (assumes.knows?.includes('time') && assumes.timing !== 'synchronous') {
    refuse("assumes.knows has 'time', which nodes know in rounds only: take a timer");
  }
  if (typeof algorithm.onStart !== 'function') refuse('onStart is missing: what does an initiator do?');
  for (const type of Object.keys(messages)) {
    if (typeof on?.[type] !== 'function') refuse(`message '${type}' has no handler: write on.${type}`);
  }
  for (const type of Object.keys(on ?? {})) {
    if (!Object.hasOwn(messages, type))
      refuse(`on.${type} handles a message that is not declared in messages`);
  }
  if ((timers?.length ?? 0) > 0 && typeof algorithm.onTimer !== 'function') {
    refuse(`timer '${timers?.[0]}' is declared, and onTimer is missing`);
  }
}
