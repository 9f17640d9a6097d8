import { describe, expect, it } from 'vitest';
import { textColumns } from '../../../../base/src/cells.ts';
import type { Paint } from '../../../../base/src/paint.ts';
import { drawNetwork, MAX_DRAWN_NODES } from '../../../src/drawing/index.ts';
import { buildTopology, parseTopologyName } from '../../../src/kernel/driver.ts';
import { Random, Topology } from '../../../src/kernel/index.ts';

const plain: Paint = (_, text) => text;
const wide = { width: 100, paint: plain };

function draw(
  topology: Topology,
  change: { leaders?: number[]; dead?: number[]; initiators?: number[]; ids?: Int32Array | null } = {},
  options = wide,
): string[] | null {
  const { n } = topology;
  const ids = change.ids === undefined ? Int32Array.from({ length: n }, (_, at) => 10 + at) : change.ids;
  const initiators = Int32Array.from(change.initiators ?? Array.from({ length: n }, (_, at) => at));
  const { leaders = [n - 1], dead = [] } = change;
  return drawNetwork({ topology, ids, initiators, dead, leaders }, options);
}

const network = (name: string, n: number): Topology =>
  buildTopology(parseTopologyName(name), n, new Random(1, 'test'), { asGraph: true });

describe('the picture of a ring', () => {
  it('of eight has position 0 at the top and goes clockwise', () => {
    expect(draw(Topology.ring(8, { oneWay: true }), { leaders: [2], dead: [4], initiators: [0, 1] })).toEqual(
      [
        '                    10',
        '              ·  ·  ●  ·  ·',
        '       17 ○   ·           ·   ● 11',
        '          ·                   ·',
        '        ·                       ·',
        '       ·                         ·',
        '   16 ○       messages go ↻       ★ 12',
        '       ·    position 0 on top    ·',
        '        ·                       ·',
        '          ·                   ·',
        '       15 ○   ·           ·   ○ 13',
        '              ·  ·  ✝  ·  ·',
        '                    14',
        '',
        '  ★ leader   ● initiator   ○ not an initiator   ✝ dead',
      ],
    );
  });

  it.each(Array.from({ length: MAX_DRAWN_NODES }, (_, k) => k + 1))('of %d shows every node once', (n) => {
    for (const topology of [
      Topology.ring(n),
      Topology.complete(Int32Array.from({ length: n }, (_, k) => k)),
    ]) {
      const text = draw(topology)?.join('\n') ?? '';
      for (let at = 0; at < n; at++) expect(text.match(new RegExp(`\\b${10 + at}\\b`, 'g'))).toHaveLength(1);
      const picture = text.split('\n').slice(0, -1).join('\n');
      expect(picture.match(/[●★]/g)).toHaveLength(n);
    }
  });

  it('is mirror-symmetric', () => {
    const lines = draw(Topology.ring(12), { ids: new Int32Array(12), leaders: [] })?.slice(1, -4) ?? [];
    const middle = (lines[0] ?? '').indexOf('●');
    for (const line of lines.filter((each) => !/[a-z]/.test(each))) {
      const places = [...line].flatMap((character, x) =>
        /[·●]/.test(character) ? [Math.abs(x - middle)] : [],
      );
      for (const place of new Set(places.filter((each) => each > 0))) {
        expect(places.filter((each) => each === place)).toHaveLength(2);
      }
    }
  });
});

describe('the picture of a graph', () => {
  it('is a grid for a grid and for a line', () => {
    expect(draw(network('grid:2x3', 6))?.slice(0, 3)).toEqual([
      '  ● 10 ─── ● 11 ─── ● 12',
      '  │        │        │',
      '  ● 13 ─── ● 14 ─── ★ 15',
    ]);
    expect(draw(network('line', 3))?.[0]).toBe('  ● 10 ─── ● 11 ─── ★ 12');
  });

  it('is a tree from the leader for a star', () => {
    expect(draw(network('star', 4), { leaders: [2] })?.slice(0, 4)).toEqual([
      '  ★ 12',
      '  └─ ● 10',
      '     ├─ ● 11',
      '     └─ ● 13',
    ]);
  });

  it.each(['hypercube', 'random:14', 'torus:2x4', 'random-tree', 'tree'])(
    'shows every node of %s once, and every link',
    (name) => {
      const topology = network(name, 8);
      const text = (draw(topology) ?? []).join('\n');
      const listed = [...text.matchAll(/[●★] (\d+)(?: {2}┄ (.*))?/g)];
      expect(listed.map(([, node]) => Number(node)).sort()).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
      const beside = listed.flatMap(([, , others]) => others?.split(', ') ?? []).length;
      expect(7 + beside / 2).toBe(topology.edges);
    },
  );

  it('labels nodes by position if they are anonymous', () => {
    expect(draw(network('line', 2), { ids: null })?.[0]).toBe('  ● #0 ─── ★ #1');
  });
});

describe('a picture', () => {
  it('is not drawn for too many nodes', () => {
    expect(draw(Topology.ring(MAX_DRAWN_NODES + 1))).toBeNull();
  });

  it('is never wider than the available width, and not drawn if that is too small', () => {
    for (const width of [10, 30, 40, 60]) {
      for (const topology of [Topology.ring(20), network('grid:4x5', 20), network('random:60', 20)]) {
        const lines = draw(topology, {}, { width, paint: plain }) ?? [];
        const picture = lines.slice(0, lines.indexOf(''));
        expect(Math.max(0, ...picture.map(textColumns))).toBeLessThanOrEqual(width);
      }
    }
  });

  it('is the same with and without colours', () => {
    const painted: Paint = (tone, text) => `<${tone}>${text}</>`;
    const change = { leaders: [3], dead: [1] };
    for (const topology of [Topology.ring(6), network('grid:2x3', 6), network('random:9', 6)]) {
      const lines = draw(topology, change, { width: 100, paint: painted });
      expect(lines?.map((line) => line.replace(/<[^>]*>/g, ''))).toEqual(draw(topology, change));
      expect(lines?.join('')).toContain('<leader>★');
    }
  });
});
