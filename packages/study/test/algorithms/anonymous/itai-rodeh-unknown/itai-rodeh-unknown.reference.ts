/**
 * The probes by which anonymous nodes estimate the size of their ring (Itai, Rodeh 1981; Fokkink 2013, section 9.5),
 * in lockstep and with plain objects. The random draws are passed in, in the order in which they are drawn.
 */
import { at } from '../../reference-outcome.ts';

interface Probe {
  readonly to: number;
  readonly estimate: number;
  readonly id: number;
  readonly hops: number;
}

export interface Estimates {
  /** By position, when no message is in flight. */
  readonly estimates: readonly number[];
  readonly probes: number;
}

export function estimateSize(n: number, draw: () => number): Estimates {
  const estimates = new Array<number>(n).fill(0);
  const ids = new Array<number>(n).fill(0);
  let arriving: Probe[] = [];
  let leaving: Probe[] = [];
  let probes = 0;
  const send = (from: number, estimate: number, id: number, hops: number): void => {
    probes++;
    leaving.push({ to: (from + 1) % n, estimate, id, hops });
  };
  const begin = (node: number, estimate: number): void => {
    estimates[node] = estimate;
    ids[node] = draw();
    send(node, estimate, at(ids, node), 1);
  };
  for (let node = 0; node < n; node++) begin(node, 1);
  while (leaving.length > 0) {
    arriving = leaving;
    leaving = [];
    for (const { to, estimate, id, hops } of arriving) {
      const own = at(estimates, to);
      if (estimate < own) continue;
      const isThere = hops === estimate;
      if (!isThere) send(to, estimate, id, hops + 1);
      if (!isThere && estimate > own) begin(to, estimate);
      if (isThere && (estimate > own || id !== at(ids, to))) begin(to, estimate + 1);
    }
  }
  return { estimates, probes };
}
