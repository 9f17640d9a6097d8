/**
 * Terms of elections among processes that all know one another, and that crash and recover.
 *
 * Terms are dealt out in turn: of N processes only the one with r smaller ids calls the terms r+1, r+1+N, r+1+2N and so
 * on, each time the next above all that it has seen. The largest seen is on disk, so that none is called twice.
 */

/** One process and the others, as the ports of a complete network show them: in the order of their ids. */
export interface Ranked {
  readonly id: number;
  readonly degree: number;
  neighbour(port: number): number;
}

/** The port that leads to an id, or, of one's own id, the first that leads to a larger one. */
export function portTo(id: number, ctx: Ranked): number {
  let port = 0;
  while (port < ctx.degree && ctx.neighbour(port) < id) port++;
  return port;
}

/** How many ids are smaller: the ports below this one lead to them, the others to larger ids. */
export function rankOf(ctx: Ranked): number {
  return portTo(ctx.id, ctx);
}

/** The first of this process's own terms that is not below `least`. */
export function ownTermFrom(least: number, ctx: Ranked): number {
  const processes = ctx.degree + 1;
  const ahead = (rankOf(ctx) + 1 - least) % processes;
  return least + (ahead < 0 ? ahead + processes : ahead);
}
