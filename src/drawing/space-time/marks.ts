/** Events at a node as symbols on its line. They are paths, so that they look the same in every font. */
import type { TraceEvent } from '../../kernel/trace.ts';
import { GREY, INK, PAPER, type Sheet } from '../sheet.ts';
import { crossAround, element, type Point, pathOf, starAround } from '../svg.ts';
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
  const reach = REACH[kind];
  const draw = (name: string, attributes: Record<string, string | number>) =>
    sheet.shapes.push(element(name, attributes));
  const line = { stroke: INK, 'stroke-width': 1.3 };
  switch (kind) {
    case 'start':
      return void draw('circle', { cx: at.x, cy: at.y, r: reach, fill: INK });
    case 'leader':
      return void draw('path', { d: starAround(at, reach), fill: GOLD, ...line });
    case 'follower': {
      const corners = [
        [0, -1],
        [1, 0],
        [0, 1],
        [-1, 0],
      ].map(([x, y]) => ({ x: at.x + x * reach, y: at.y + y * reach }));
      return void draw('path', { d: pathOf(corners, true), fill: PAPER, ...line });
    }
    case 'crash':
      return void draw('path', {
        d: crossAround(at, reach - 1),
        stroke: LOSS,
        'stroke-width': 3,
        fill: 'none',
      });
    case 'recover':
      return void draw('circle', {
        cx: at.x,
        cy: at.y,
        r: reach - 1,
        fill: PAPER,
        stroke: INK,
        'stroke-width': 2,
      });
    case 'timer': {
      const [left, right] = [
        { x: at.x - reach, y: at.y },
        { x: at.x + reach, y: at.y },
      ];
      return void draw('path', { d: pathOf([left, right], false), stroke: INK, 'stroke-width': 2 });
    }
    case 'undelivered': {
      const corners = [
        [-1, -1],
        [1, -1],
        [0, 0.8],
      ].map(([x, y]) => ({ x: at.x + x * reach, y: at.y + y * reach }));
      return void draw('path', { d: pathOf(corners, true), fill: PAPER, stroke: LOSS, 'stroke-width': 1.5 });
    }
  }
}

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
