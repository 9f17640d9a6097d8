/** The layout of a space-time diagram: a column per node, time downwards, a margin on each side of a ring. */
import { HIGHLIGHT, PAPER } from '../sheet.ts';

const TIME_AXIS = 58;
const EDGE = 20;
const HEADER = 140;
/** In pixels per unit. */
const UNIT = 42;
/** A short run fills a landscape page. */
const WIDE_UNIT = 96;
const SLIDE = 0.55;
/** A run that would be much higher than wide is compressed as far as labels allow. */
const TIGHT_UNIT = 26;
const TALL = 1.2;
/** A very long run is compressed further. */
const LEAST_UNIT = 14;
const MOST_HEIGHT = 2600;

export class Frame {
  readonly n: number;
  /** In units. */
  readonly end: number;
  /** Distance between two columns. */
  readonly column: number;
  /** How far an arrow across the end of a ring extends beyond the outer columns. */
  readonly overhang: number;
  readonly left: number;
  readonly top = HEADER;
  readonly unit: number;

  /** The column that is highlighted, or null. */
  readonly leader: number | null;

  constructor(n: number, end: number, isRing: boolean, leader: number | null) {
    this.n = n;
    this.leader = leader;
    this.end = end;
    this.column = Math.max(34, Math.min(130, 980 / n));
    this.overhang = isRing ? Math.min(66, this.column * 0.55) : 0;
    this.left = TIME_AXIS + EDGE + Math.max(this.overhang, this.column * 0.4);
    const filling = Math.min(WIDE_UNIT, (SLIDE * this.right) / end);
    const pressed = Math.max(TIGHT_UNIT, Math.min(UNIT, (TALL * this.right) / end));
    this.unit = Math.max(LEAST_UNIT, Math.min(Math.max(filling, pressed), MOST_HEIGHT / end));
  }

  x(position: number): number {
    return this.left + position * this.column;
  }

  y(time: number): number {
    return this.top + time * this.unit;
  }

  /** The right end of the axes. */
  get right(): number {
    return this.x(this.n - 1) + Math.max(this.overhang, this.column * 0.4);
  }

  get bottom(): number {
    return this.y(this.end) + 16;
  }

  get bandWidth(): number {
    return Math.min(0.7 * this.column, 54);
  }

  /** The background colour at x. */
  paperAt(x: number): string {
    const isOnBand = this.leader !== null && Math.abs(x - this.x(this.leader)) < this.bandWidth / 2;
    return isOnBand ? HIGHLIGHT : PAPER;
  }

  get axisX(): number {
    return TIME_AXIS;
  }

  /** Font size of message labels. */
  get labelSize(): number {
    return this.column >= 76 ? 11.5 : this.column >= 48 ? 10 : 9;
  }
}
