/** A small network as text: a ring, a grid, or a tree with the other links listed beside it. */

import type { Paint, Tone } from '@hustings/base';
import type { Topology } from '../../../kernel/network/topology.ts';
import { drawCircle } from './circle-picture.ts';
import { drawGrid } from './grid-picture.ts';
import type { NodeMark, PictureOptions } from './node-mark.ts';
import { drawTree } from './tree-picture.ts';

/** What a picture shows of a run, by position. */
export interface NetworkPicture {
  readonly topology: Topology;
  /** By position; null if nodes are anonymous. */
  readonly ids: Int32Array | null;
  readonly initiators: Int32Array;
  readonly dead: readonly number[];
  /** Positions; more than one if uniqueness is violated. */
  readonly leaders: readonly number[];
}

/** The largest network that is drawn. */
export const MAX_DRAWN_NODES = 24;

/** The picture with its legend; null if there are too many nodes or too few columns. */
export function drawNetwork(state: NetworkPicture, options: PictureOptions): string[] | null {
  const { topology } = state;
  if (topology.n > MAX_DRAWN_NODES) return null;
  const marks = marksOf(state);
  const grid = /^(?:grid:(\d+)x(\d+)|line)$/.exec(topology.name);
  const picture =
    topology.kind === 'ring' || topology.kind === 'ring map'
      ? drawCircle(marks, ringText(topology), true, options)
      : topology.kind === 'complete'
        ? drawCircle(marks, ['each is linked', 'with all others'], false, options)
        : ((grid && drawGrid(marks, Number(grid[2] ?? topology.n), options)) ??
          drawTree(topology, marks, state.leaders[0] ?? 0, options));
  return picture && [...picture, '', ...legend(marks, options.paint)];
}

function ringText(topology: Topology): string[] {
  if (topology.n < 3) return [];
  return [
    topology.oneWay || topology.kind === 'ring map' ? 'messages go ↻' : 'messages go ↻ ↺',
    'position 0 on top',
  ];
}

const LEADER = { symbol: '★', tone: 'leader' } as const;
const DEAD = { symbol: '✝', tone: 'dead' } as const;
const INITIATOR = { symbol: '●', tone: null } as const;
const OTHER = { symbol: '○', tone: null } as const;

function marksOf({ topology, ids, initiators, dead, leaders }: NetworkPicture): NodeMark[] {
  const isDead = new Set(dead);
  const isInitiator = new Set(initiators);
  return Array.from({ length: topology.n }, (_, at) => ({
    ...(leaders.includes(at) ? LEADER : isDead.has(at) ? DEAD : isInitiator.has(at) ? INITIATOR : OTHER),
    // An overlay may have positions without an id.
    name: String(ids?.[at] ?? `#${at}`),
  }));
}

function legend(marks: readonly NodeMark[], paint: Paint): string[] {
  const shown = new Set(marks.map(({ symbol }) => symbol));
  const texts: [{ symbol: string; tone: Tone | null }, string][] = [
    [LEADER, 'leader'],
    [INITIATOR, 'initiator'],
    [OTHER, 'not an initiator'],
    [DEAD, 'dead'],
  ];
  const parts = texts
    .filter(([{ symbol }]) => shown.has(symbol))
    .map(
      ([{ symbol, tone }, text]) => `${tone === null ? symbol : paint(tone, symbol)} ${paint('faint', text)}`,
    );
  return [`  ${parts.join('   ')}`];
}
