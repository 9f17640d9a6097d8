/** Any network as a tree of shortest paths from one node, with the other links listed after each node. */

import { textColumns } from '@hustings/base';
import type { Topology } from '../../../kernel/network/topology.ts';
import type { NodeMark, PictureOptions } from './node-mark.ts';

const UNSEEN = -1;
const NOBODY = -2;

/** Null if it is too wide. */
export function drawTree(
  topology: Topology,
  marks: readonly NodeMark[],
  root: number,
  { width, paint }: PictureOptions,
): string[] | null {
  const parents = shortestPaths(topology, root);
  const children = (at: number) => marks.map((_, child) => child).filter((child) => parents[child] === at);
  const others = (at: number) =>
    neighbours(topology, at).filter((other) => parents[at] !== other && parents[other] !== at);
  const lines: string[] = [];
  let widest = 0;
  const draw = (at: number, first: string, rest: string): void => {
    const { symbol, name, tone } = marks[at];
    const node = `${symbol} ${name}`;
    const links = others(at).map((other) => marks[other].name);
    const beside = links.length > 0 ? `  ┄ ${links.join(', ')}` : '';
    widest = Math.max(widest, textColumns(first + node + beside));
    const drawn = tone === null ? node : paint(tone, node);
    lines.push(paint('faint', first) + drawn + (beside && paint('faint', beside)));
    const below = children(at);
    below.forEach((child, index) => {
      const isLast = index === below.length - 1;
      draw(child, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`);
    });
  };
  draw(root, '  ', '  ');
  if (lines.some((line) => line.includes('┄'))) lines.push('', paint('faint', '  ┄ linked as well'));
  return widest > width ? null : lines;
}

function neighbours(topology: Topology, at: number): number[] {
  return Array.from({ length: topology.degree(at) }, (_, port) => topology.neighbour(at, port));
}

/** The next position on a shortest path to the root; the root has none. */
function shortestPaths(topology: Topology, root: number): number[] {
  const parents: number[] = new Array(topology.n).fill(UNSEEN);
  parents[root] = NOBODY;
  const queue = [root];
  for (const at of queue) {
    for (const next of neighbours(topology, at)) {
      if (parents[next] !== UNSEEN) continue;
      parents[next] = at;
      queue.push(next);
    }
  }
  return parents;
}
