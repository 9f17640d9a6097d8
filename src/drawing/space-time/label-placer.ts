/**
 * Places labels. No label overlaps another label or a reserved area; among the remaining places the one that hides least
 * is chosen. A label without a place is omitted and counted.
 */
import type { SheetText } from '../sheet.ts';
import type { Point } from '../svg.ts';
import { type Box, overlap, textBox } from '../text-box.ts';

export type Segment = readonly [Point, Point];

export interface LabelPosition extends SheetText {
  /** The penalty of this place, without what it hides. */
  readonly cost: number;
}

const PADDING = 2;
/** Segments and boxes are indexed by bands of this height. */
const BAND = 48;

export class LabelPlacer {
  /** Labels without a place. */
  omitted = 0;
  private readonly boxes = new Map<number, Box[]>();
  private readonly segments = new Map<number, Segment[]>();
  private readonly verticals: readonly number[];

  constructor(segments: readonly Segment[], verticals: readonly number[]) {
    this.verticals = verticals;
    for (const segment of segments) {
      const [a, b] = segment;
      enter(this.segments, Math.min(a.y, b.y), Math.max(a.y, b.y), segment);
    }
  }

  reserve(box: Box): void {
    enter(this.boxes, box.y, box.y + box.height, box);
  }

  /** `own` is the segment of the label, which it may hide. */
  place(candidates: readonly LabelPosition[], own?: Segment): SheetText | null {
    let best: LabelPosition | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const candidate of candidates) {
      if (candidate.cost >= least) continue;
      const box = grown(candidate);
      if (lookUp(this.boxes, box).some((other) => overlap(box, other))) continue;
      const cost = candidate.cost + this.hidden(box, own);
      if (cost < least) [best, least] = [candidate, cost];
    }
    if (best === null) this.omitted++;
    else this.reserve(grown(best));
    return best;
  }

  private hidden(box: Box, own: Segment | undefined): number {
    const columns = this.verticals.filter((x) => x > box.x && x < box.x + box.width).length;
    const crossed = new Set(lookUp(this.segments, box));
    let lines = 0;
    for (const segment of crossed) if (segment !== own && crosses(segment, box)) lines++;
    return 3 * columns + 2 * lines;
  }
}

function grown({ text, size, x, y, anchor }: SheetText): Box {
  const box = textBox(text, size, x, y, anchor);
  const [width, height] = [box.width + 2 * PADDING, box.height + PADDING];
  return { x: box.x - PADDING, y: box.y - PADDING / 2, width, height };
}

function enter<T>(bands: Map<number, T[]>, top: number, bottom: number, entry: T): void {
  for (let band = Math.floor(top / BAND); band <= Math.floor(bottom / BAND); band++) {
    const list = bands.get(band);
    if (list === undefined) bands.set(band, [entry]);
    else list.push(entry);
  }
}

function lookUp<T>(bands: Map<number, T[]>, box: Box): T[] {
  const found: T[] = [];
  for (let band = Math.floor(box.y / BAND); band <= Math.floor((box.y + box.height) / BAND); band++) {
    found.push(...(bands.get(band) ?? []));
  }
  return found;
}

/** Whether a segment crosses a box, by the clipping of Liang and Barsky (1984). */
function crosses([a, b]: Segment, box: Box): boolean {
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
