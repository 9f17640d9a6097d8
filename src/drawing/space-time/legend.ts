/** The legend of the symbols that occur. */
import { GREY, type Sheet } from '../sheet.ts';
import { element, type Point } from '../svg.ts';
import { textWidth } from '../text-box.ts';
import { type Arrow, LINES, lossAt, type Purpose } from './arrows.ts';
import { drawSign, type Mark, type MarkKind } from './marks.ts';

const SIZE = 11.5;
const LINE = 22;
const SAMPLE = 30;
const GAP = 22;

interface Entry {
  readonly text: string;
  readonly width: number;
  /** Draws a sample with its left end at this point. */
  draw(at: Point): void;
}

const MARK_TEXTS: Readonly<Record<MarkKind, string>> = {
  start: 'starts',
  leader: 'decides: leader',
  follower: 'decides: follower',
  crash: 'crashes',
  recover: 'recovers',
  timer: 'timer fires',
  undelivered: 'learns that a message was not delivered',
};

/** Returns its height. */
export function drawLegend(
  sheet: Sheet,
  arrows: readonly Arrow[],
  marks: readonly Mark[],
  notes: readonly string[],
  left: number,
  right: number,
  top: number,
): number {
  let [x, y] = [left, top];
  for (const { text, width, draw } of entriesOf(sheet, arrows, marks)) {
    const all = width + 7 + textWidth(text, SIZE);
    if (x > left && x + all > right) [x, y] = [left, y + LINE];
    draw({ x, y });
    sheet.write({ text, size: SIZE, x: x + width + 7, y, anchor: 'start' });
    x += all + GAP;
  }
  for (const text of notes) {
    y += LINE;
    sheet.write({ text, size: SIZE, x: left, y, anchor: 'start', fill: GREY });
  }
  return y + LINE - top;
}

function entriesOf(sheet: Sheet, arrows: readonly Arrow[], marks: readonly Mark[]): Entry[] {
  const line = (at: Point, purpose: Purpose) =>
    sheet.shapes.push(
      element('path', {
        d: `M${at.x} ${at.y}h${SAMPLE - 5}`,
        stroke: LINES[purpose].stroke,
        'stroke-width': 1.4,
        'stroke-dasharray': LINES[purpose].dash,
      }),
      element('path', { d: `M${at.x + SAMPLE} ${at.y}l-7.5 -3l0 6Z`, fill: LINES[purpose].stroke }),
    );
  const entries: Entry[] = [];
  const add = (isShown: boolean, text: string, width: number, draw: Entry['draw']) => {
    if (isShown) entries.push({ text, width, draw });
  };
  const has = (wanted: Purpose) => arrows.some(({ purpose }) => purpose === wanted);
  const isAlone = !has('announcement') && !has('upkeep');
  const isLost = ({ flight: { fate } }: Arrow) => fate !== 'delivered' && fate !== 'in flight';
  add(true, isAlone ? 'message' : 'election message', SAMPLE, (at) => line(at, 'election'));
  for (const purpose of ['announcement', 'upkeep'] as const) {
    add(has(purpose), purpose, SAMPLE, (at) => line(at, purpose));
  }
  add(arrows.some(isLost), 'message is lost', 10, ({ x, y }) => sheet.shapes.push(lossAt({ x: x + 5, y })));
  for (const kind of Object.keys(MARK_TEXTS) as MarkKind[]) {
    const isShown = marks.some((mark) => mark.kind === kind);
    add(isShown, MARK_TEXTS[kind], 16, ({ x, y }) => drawSign(sheet, kind, { x: x + 8, y }));
  }
  return entries;
}
