/** Events at a node as symbols on its line. They are paths, so that they look the same in every font. */
import type { TraceEvent } from '../../kernel/trace.ts';
import { GREY, INK, PAPER, type Sheet } from '../sheet.ts';
import { type Attributes, crossAround, element, type Point, pathAround, starAround } from '../svg.ts';
import { LOSS } from './arrows.ts';
import type { Frame } from './frame.ts';
import type { LabelPlacer, LabelPosition } from './label-placer.ts';

export const GOLD = '#f0b429';

export type MarkKind = 'start' | 'crash' | 'recover' | 'timer' | 'undelivered' | 'leader' | 'follower';

export interface Mark {
  readonly kind: MarkKind;
  readonly node: number;
  readonly time: number;
  /** Text beside the symbol. */
  readonly text: string;
}

/** Radius of a symbol. */
export const REACH: Readonly<Record<MarkKind, number>> = {
  start: 3.5,
  crash: 7,
  recover: 6,
  timer: 5,
  undelivered: 5,
  leader: 10,
  follower: 5,
};

/** `leaderId` is the id of the leader, which is not repeated beside every follower. */
export function marksOf(events: readonly TraceEvent[], leaderId: number | null): Mark[] {
  return events.flatMap((event): Mark[] => {
    const { node, time } = event;
    switch (event.type) {
      case 'start':
        return [{ kind: 'start', node, time, text: '' }];
      case 'crash':
      case 'recover':
        return [{ kind: event.type, node, time, text: event.type === 'crash' ? 'crashes' : 'recovers' }];
      case 'timer':
        return [{ kind: 'timer', node, time, text: event.timer }];
      case 'undelivered':
        return [{ kind: 'undelivered', node, time, text: '' }];
      case 'decide': {
        const term = event.term > 0 ? `term ${event.term}` : '';
        if (event.role === 'leader') return [{ kind: 'leader', node, time, text: `leads ${term}`.trim() }];
        const other = event.leader !== null && event.leader !== leaderId ? `follows ${event.leader}` : '';
        return [{ kind: 'follower', node, time, text: other }];
      }
      default:
        return [];
    }
  });
}

export function drawSign(sheet: Sheet, kind: MarkKind, at: Point): void {
  const [name, attributes] = SIGNS[kind](at, REACH[kind]);
  sheet.shapes.push(element(name, attributes));
}

const DIAMOND = [0, -1, 1, 0, 0, 1, -1, 0];
const WEDGE = [-1, -1, 1, -1, 0, 0.8];
const DASH = [-1, 0, 1, 0];
const LINE = { stroke: INK, 'stroke-width': 1.3 };
const disc = ({ x, y }: Point, r: number) => ({ cx: x, cy: y, r });

/** The element of each symbol, with its attributes. */
const SIGNS: Readonly<Record<MarkKind, (at: Point, reach: number) => readonly [string, Attributes]>> = {
  start: (at, reach) => ['circle', { ...disc(at, reach), fill: INK }],
  leader: (at, reach) => ['path', { d: starAround(at, reach), fill: GOLD, ...LINE }],
  follower: (at, reach) => ['path', { d: pathAround(at, reach, DIAMOND), fill: PAPER, ...LINE }],
  crash: (at, reach) => [
    'path',
    { d: crossAround(at, reach - 1), stroke: LOSS, 'stroke-width': 3, fill: 'none' },
  ],
  recover: (at, reach) => ['circle', { ...disc(at, reach - 1), fill: PAPER, stroke: INK, 'stroke-width': 2 }],
  timer: (at, reach) => ['path', { d: pathAround(at, reach, DASH, false), stroke: INK, 'stroke-width': 2 }],
  undelivered: (at, reach) => [
    'path',
    { d: pathAround(at, reach, WEDGE), fill: PAPER, stroke: LOSS, 'stroke-width': 1.5 },
  ],
};

export function labelMark(sheet: Sheet, placer: LabelPlacer, mark: Mark, frame: Frame): void {
  if (mark.text === '') return;
  const [x, y] = [frame.x(mark.node), frame.y(mark.time)];
  const away = REACH[mark.kind] + 3;
  const isQuiet = mark.kind === 'timer' || mark.kind === 'follower';
  const size = frame.labelSize - (isQuiet ? 1 : 0);
  const shared = {
    text: mark.text,
    size,
    fill: isQuiet ? GREY : INK,
    isBold: !isQuiet,
    halo: frame.paperAt(x),
  };
  const drops = [0, -size, size, 1.6 * size, -2 * size, 2 * size];
  const candidates = drops.flatMap((drop, order): LabelPosition[] => [
    { ...shared, x: x + away, y: y + drop, anchor: 'start', cost: order },
    { ...shared, x: x - away, y: y + drop, anchor: 'end', cost: order + 0.5 },
  ]);
  const placed = placer.place(candidates);
  if (placed !== null) sheet.write(placed);
}
