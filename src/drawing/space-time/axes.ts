/** The frame of a space-time diagram: title, time axis, a head and a line for each node. */
import { GREY, HIGHLIGHT, INK, PALE, PAPER, type Sheet } from '../sheet.ts';
import { element, starAround } from '../svg.ts';
import { textWidth } from '../text-box.ts';
import type { Frame } from './frame.ts';
import type { Span } from './lifelines.ts';
import { GOLD } from './marks.ts';

const HEAD_Y = 106;
const POSITION_Y = 84;
const TIME_Y = 123;
const HEAD_HEIGHT = 26;
const LEAST_TICK = 24;

export function drawTitle(sheet: Sheet, title: string, subtitle: string, left: number): void {
  sheet.write({ text: title, size: 19, x: left, y: 26, anchor: 'start', isBold: true });
  sheet.write({ text: subtitle, size: 12.5, x: left, y: 50, anchor: 'start', fill: GREY });
}

export function drawTimeAxis(sheet: Sheet, frame: Frame, title: string): void {
  const step = tickStep(LEAST_TICK / frame.unit);
  sheet.write({ text: title, size: 10, x: frame.axisX - 8, y: TIME_Y, anchor: 'end', fill: GREY });
  for (let tick = 0; tick * step <= frame.end; tick++) {
    const y = frame.y(tick * step);
    sheet.shapes.push(
      element('path', { d: `M${frame.axisX} ${y}H${frame.right}`, stroke: PALE, 'stroke-width': 0.7 }),
    );
    const text = String(tick * step);
    sheet.write({ text, size: 11, x: frame.axisX - 8, y, anchor: 'end', fill: GREY });
  }
}

/** The smallest of 1, 2 or 5 times a power of ten that is at least this value. */
function tickStep(least: number): number {
  let power = 1;
  for (;;) {
    for (const step of [power, 2 * power, 5 * power]) if (step >= least) return step;
    power *= 10;
  }
}

export function drawHeads(sheet: Sheet, frame: Frame, ids: Int32Array | null): void {
  const { leader, bandWidth: width } = frame;
  if (leader !== null) {
    const [x, y] = [frame.x(leader) - width / 2, POSITION_Y - 14];
    const height = frame.bottom - y;
    sheet.shapes.push(element('rect', { x, y, width, height, rx: 8, fill: HIGHLIGHT }));
  }
  if (ids !== null) {
    sheet.write({ text: 'position', size: 10, x: frame.axisX - 8, y: POSITION_Y, anchor: 'end', fill: GREY });
  }
  const text = ids === null ? 'position' : 'id';
  sheet.write({ text, size: 10, x: frame.axisX - 8, y: HEAD_Y, anchor: 'end', fill: GREY });
  for (let at = 0; at < frame.n; at++) drawHead(sheet, frame, at, ids, at === leader);
}

function drawHead(sheet: Sheet, frame: Frame, at: number, ids: Int32Array | null, isLeader: boolean): void {
  const x = frame.x(at);
  // An overlay may have positions without an id.
  const name = ids === null ? String(at) : String(ids[at] ?? `#${at}`);
  const room = frame.column - 12;
  const size = Math.min(13.5, (13.5 * room) / textWidth(name, 13.5));
  const width = Math.min(frame.column - 4, Math.max(HEAD_HEIGHT, textWidth(name, size) + 10));
  const [left, top] = [x - width / 2, HEAD_Y - HEAD_HEIGHT / 2];
  const [paper, ink] = isLeader ? [INK, PAPER] : [PAPER, INK];
  const shape = { x: left, y: top, width, height: HEAD_HEIGHT, rx: HEAD_HEIGHT / 2 };
  sheet.shapes.push(element('rect', { ...shape, fill: paper, stroke: INK, 'stroke-width': 1.4 }));
  sheet.write({ text: name, size, x, y: HEAD_Y, anchor: 'middle', isBold: true, fill: ink });
  if (ids !== null)
    sheet.write({ text: String(at), size: 10, x, y: POSITION_Y, anchor: 'middle', fill: GREY });
  if (isLeader) {
    const star = starAround({ x: x + width / 2, y: top + 4 }, 6.5);
    sheet.shapes.push(element('path', { d: star, fill: GOLD, stroke: INK, 'stroke-width': 1 }));
  }
}

const STYLES = {
  asleep: { stroke: GREY, 'stroke-width': 1, 'stroke-dasharray': '1.5 4' },
  awake: { stroke: '#46535f', 'stroke-width': 1.2 },
  dead: { stroke: PALE, 'stroke-width': 1, 'stroke-dasharray': '3 5' },
} as const;

export function drawLifelines(sheet: Sheet, frame: Frame, lifelines: readonly (readonly Span[])[]): void {
  lifelines.forEach((spans, at) => {
    const x = frame.x(at);
    const first = STYLES[spans[0].state];
    sheet.shapes.push(element('path', { d: `M${x} ${HEAD_Y + HEAD_HEIGHT / 2}V${frame.y(0)}`, ...first }));
    for (const { state, from, until } of spans) {
      const bottom = until === frame.end ? frame.bottom : frame.y(until);
      sheet.shapes.push(element('path', { d: `M${x} ${frame.y(from)}V${bottom}`, ...STYLES[state] }));
    }
  });
}
