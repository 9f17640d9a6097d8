/** Where an election is about a coordinator that has died, the one with the largest id has. */
import type { Stage } from '../kernel/stage.ts';

/** Positions that are dead from the beginning. */
export function deadAtFirst({ algorithm, ids }: Stage): number[] {
  if (algorithm.occasion !== 'coordinator dead' || ids.length < 2) return [];
  return [ids.indexOf(ids.reduce((most, id) => Math.max(most, id)))];
}
