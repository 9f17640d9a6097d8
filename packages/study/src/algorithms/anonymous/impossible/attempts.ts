/**
 * Attempts at the impossible: deterministic elections among anonymous nodes. Each works if one node initiates, and
 * each fails in a different way if all nodes start together.
 */
import type { AnyAlgorithm } from '../../../kernel/index.ts';
import { afterYou } from './after-you.ts';
import { firstHome } from './first-home.ts';
import { rematch } from './rematch.ts';

/** An algorithm without ids and without randomness, and how it fails. */
export interface Attempt {
  readonly name: string;
  readonly algorithm: AnyAlgorithm;
  /** How all nodes end if they start together. */
  readonly fate: string;
}

function attempt(algorithm: AnyAlgorithm, fate: string): Attempt {
  return { name: algorithm.name, algorithm, fate };
}

/** All attempts. */
export const attempts: readonly Attempt[] = [
  attempt(firstHome, 'all lead'),
  attempt(afterYou, 'all follow, and no node leads'),
  attempt(rematch, 'all continue without end'),
];
