/**
 * Places labels. A label overlaps no other label, no mark and no lifeline, and no arrow but its own crosses it. A label
 * without such a place is omitted and counted.
 */
import { type Box, overlap } from '../text-box.ts';
import type { Segment } from './scene.ts';

const PADDING = 2;
/** Segments and boxes are indexed by columns of this width. */
const COLUMN = 64;

export class LabelPlacer {
  private readonly boxes = new Map<number, Box[]>();
  private readonly segments = new Map<number, Segment[]>();

  constructor(segments: readonly Segment[]) {
    for (const segment of segments) {
      const [a, b] = segment;
      enter(this.segments, Math.min(a.x, b.x), Math.max(a.x, b.x), segment);
    }
  }

  reserve(box: Box): void {
    enter(this.boxes, box.x, box.x + box.width, box);
  }

  /** Reserves the box if it is free, and says whether it was. `own` may cross it. */
  take(box: Box, own: readonly Segment[] = []): boolean {
    const whole = grown(box);
    const isFree = this.isFree(whole, own);
    if (isFree) this.reserve(whole);
    return isFree;
  }

  private isFree(box: Box, own: readonly Segment[]): boolean {
    return (
      !lookUp(this.boxes, box).some((other) => overlap(box, other)) &&
      !lookUp(this.segments, box).some((segment) => !own.includes(segment) && crosses(segment, box))
    );
  }
}

function grown({ x, y, width, height }: Box): Box {
  return { x: x - PADDING, y: y - PADDING / 2, width: width + 2 * PADDING, height: height + PADDING };
}

function enter<T>(columns: Map<number, T[]>, left: number, right: number, entry: T): void {
  for (let column = Math.floor(left / COLUMN); column <= Math.floor(right / COLUMN); column++) {
    const list = columns.get(column);
    if (list === undefined) columns.set(column, [entry]);
    else list.push(entry);
  }
}

function lookUp<T>(columns: Map<number, T[]>, box: Box): T[] {
  const found: T[] = [];
  for (
    let column = Math.floor(box.x / COLUMN);
    column <= Math.floor((box.x + box.width) / COLUMN);
    column++
  ) {
    found.push(...(columns.get(column) ?? []));
  }
  return found;
}

/** Whether a segment crosses a box, by the clipping of Liang and Barsky (1984). */
export function crosses([a, b]: Segment, box: Box): boolean {
  let enters = 0;
  let leaves = 1;
  const cut = (start: number, step: number, low: number, high: number): boolean => {
    if (step === 0) return start >= low && start <= high;
    const [first, second] = [(low - start) / step, (high - start) / step];
    enters = Math.max(enters, Math.min(first, second));
    leaves = Math.min(leaves, Math.max(first, second));
    return enters <= leaves;
  };
  return cut(a.x, b.x - a.x, box.x, box.x + box.width) && cut(a.y, b.y - a.y, box.y, box.y + box.height);
}
