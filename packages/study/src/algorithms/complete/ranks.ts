/**
 * Ranks and terms of processes in a complete network whose ports are in the order of the ids. The rank of a process
 * is the number of smaller ids; the terms of a process are those of its rank (terms.ts).
 */

import { ownTermFrom } from '../terms.ts';

export interface RankedProcess {
  readonly id: number;
  readonly degree: number;
  neighbour(port: number): number;
}

/** The port that leads to an id; for the process's own id, the first port that leads to a larger one. */
export function portTo(id: number, ctx: RankedProcess): number {
  let low = 0;
  let high = ctx.degree;
  while (low < high) {
    const port = (low + high) >>> 1;
    if (ctx.neighbour(port) < id) low = port + 1;
    else high = port;
  }
  return low;
}

/** The number of smaller ids. The ports below it lead to smaller ids, the others to larger ones. */
export function rankOf(ctx: RankedProcess): number {
  return portTo(ctx.id, ctx);
}

/** The smallest term of this process that is at least `least`. */
export function nextOwnTerm(least: number, ctx: RankedProcess): number {
  return ownTermFrom(least, rankOf(ctx), ctx.degree + 1);
}
