/**
 * Attempts at the impossible: deterministic elections among nodes without ids. Each does what it can, and each shows one
 * of the ways in which they all must fail when the nodes start together.
 */
import type { AnyAlgorithm } from '../../../kernel/index.ts';
import { afterYou } from './after-you.ts';
import { firstHome } from './first-home.ts';
import { rematch } from './rematch.ts';

export interface Attempt {
  readonly name: string;
  readonly algorithm: AnyAlgorithm;
  /** What becomes of all nodes alike. */
  readonly fate: string;
}

function attempt(algorithm: AnyAlgorithm, fate: string): Attempt {
  return { name: algorithm.name, algorithm, fate };
}

export const attempts: readonly Attempt[] = [
  attempt(firstHome, 'all lead'),
  attempt(afterYou, 'all follow, and nobody leads'),
  attempt(rematch, 'all go on for ever'),
];
