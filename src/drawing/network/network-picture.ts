/** A small network as text: a ring as a ring, a grid as a grid, anything else as a tree with the links beside it. */
import type { Topology } from '../../kernel/network/topology.ts';
import type { Paint, Tone } from './character-canvas.ts';
import { drawCircle } from './circle-picture.ts';
import { drawGrid } from './grid-picture.ts';
import type { NodeMark, PictureOptions } from './node-mark.ts';
import { drawTree } from './tree-picture.ts';

/** What a run came to, as far as a picture shows it. Positions throughout. */
export interface NetworkPicture {
  readonly topology: Topology;
  /** By position; null where nodes are anonymous. */
  readonly ids: Int32Array | null;
  readonly initiators: Int32Array;
  readonly dead: readonly number[];
  /** Positions; more than one where an election went wrong. */
  readonly leaders: readonly number[];
}

/** More nodes do not make a picture. */
export const MOST_DRAWN_NODES = 24;

/** Lines with a legend under them; null where there are too many nodes, or too little room. */
export function drawNetwork(state: NetworkPicture, options: PictureOptions): string[] | null {
  const { topology } = state;
  if (topology.n > MOST_DRAWN_NODES) return null;
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
    // An overlay may have positions beyond the nodes, which have no id.
    name: String(ids?.[at] ?? `#${at}`),
  }));
}

function legend(marks: readonly NodeMark[], paint: Paint): string[] {
  const shown = new Set(marks.map(({ symbol }) => symbol));
  const texts: [{ symbol: string; tone: Tone | null }, string][] = [
    [LEADER, 'leader'],
    [INITIATOR, 'woke by itself'],
    [OTHER, 'was woken'],
    [DEAD, 'dead'],
  ];
  const parts = texts
    .filter(([{ symbol }]) => shown.has(symbol))
    .map(
      ([{ symbol, tone }, text]) => `${tone === null ? symbol : paint(tone, symbol)} ${paint('faint', text)}`,
    );
  return [`  ${parts.join('   ')}`];
}
