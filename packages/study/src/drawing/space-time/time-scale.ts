/**
 * Time along the axis. Stretches in which nothing happens, or only upkeep, are folded to a fixed width; elsewhere a unit
 * of time has the same width everywhere.
 */
import type { Mark, Transfer } from './transfer.ts';

/** A part of the time axis, drawn to scale or folded. */
export interface Piece {
  /** In units. */
  readonly from: number;
  readonly until: number;
  /** Why it is folded; null if it is not. */
  readonly fold: 'idle' | 'upkeep' | null;
  /** Instead of the name of the fold, if there is room. */
  readonly label?: string | undefined;
}

/** Longer stretches are folded, in units. */
const FOLD_OVER = 2;
/** What happens keeps this distance from a fold, in units. */
const MARGIN = 0.3;

/** The pieces from 0 to the end, without gaps. */
export function piecesOf(
  transfers: readonly Pick<Transfer, 'sent' | 'ended' | 'isQuiet'>[],
  marks: readonly Pick<Mark, 'time' | 'isQuiet'>[],
  end: number,
): Piece[] {
  const busy = [
    ...marks.filter(({ isQuiet }) => !isQuiet).map(({ time }): [number, number] => [time, time]),
    ...transfers.filter(({ isQuiet }) => !isQuiet).map((each): [number, number] => [each.sent, endOf(each)]),
  ].sort(([a], [b]) => a - b);
  const pieces: Piece[] = [];
  let from = 0;
  let until = 0;
  const quiet = transfers.filter(({ isQuiet }) => isQuiet);
  const close = (next: number): void => {
    if (next - until <= FOLD_OVER + 2 * MARGIN) return;
    const [left, right] = [until === 0 ? 0 : until + MARGIN, next === end ? end : next - MARGIN];
    if (left > from) pieces.push({ from, until: left, fold: null });
    const isUpkeep = quiet.some(({ sent }) => sent >= left && sent <= right);
    pieces.push({ from: left, until: right, fold: isUpkeep ? 'upkeep' : 'idle' });
    from = right;
  };
  for (const [start, stop] of busy) {
    if (start > until) close(start);
    until = Math.max(until, stop);
  }
  close(end);
  if (from < end || pieces.length === 0) pieces.push({ from, until: end, fold: null });
  return pieces;
}

function endOf({ ended, sent }: Pick<Transfer, 'sent' | 'ended'>): number {
  return ended ?? sent + 0.5;
}

/** Whether a stretch of time lies within a fold. */
export function isWithinFold(pieces: readonly Piece[], from: number, until: number): boolean {
  return pieces.some((piece) => piece.fold !== null && from >= piece.from && until <= piece.until);
}

/** The place of each time on an axis that is as long as needed; strips cut it into lines. */
export class TimeScale {
  readonly pieces: readonly Piece[];
  readonly length: number;
  private readonly starts: number[] = [];

  /** In pixels per unit, and pixels per fold. */
  constructor(
    pieces: readonly Piece[],
    readonly unit: number,
    readonly fold: number,
  ) {
    this.pieces = pieces;
    let at = 0;
    for (const piece of pieces) {
      this.starts.push(at);
      at += this.widthOf(piece);
    }
    this.length = at;
  }

  private widthOf({ fold, from, until }: Piece): number {
    return fold === null ? (until - from) * this.unit : this.fold;
  }

  at(time: number): number {
    let k = 0;
    while (k < this.pieces.length - 1 && time >= this.pieces[k + 1].from) k++;
    const piece = this.pieces[k];
    const rate = piece.fold === null ? this.unit : this.fold / (piece.until - piece.from);
    // Beyond the last event a unit is a unit.
    if (time > piece.until) return this.starts[k] + this.widthOf(piece) + (time - piece.until) * this.unit;
    return this.starts[k] + (time - piece.from) * rate;
  }

  /** Zero, and whole times at least this many pixels apart outside folds; each piece has one if a whole time is in it. */
  ticks(distance: number): number[] {
    const step = tickStep(distance / this.unit);
    return this.pieces.flatMap(({ fold, from, until }) => {
      if (fold !== null) return from === 0 ? [0] : [];
      const all = multiples(step, from, until);
      return all.length > 0 ? all : multiples(1, from, until).slice(0, 1);
    });
  }
}

function multiples(step: number, from: number, until: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from(
    { length: Math.max(0, Math.floor(until / step) - first + 1) },
    (_, k) => (first + k) * step,
  );
}

/** The smallest of 1, 2 or 5 times a power of ten that is at least this value. */
function tickStep(least: number): number {
  let power = 1;
  for (;;) {
    for (const step of [power, 2 * power, 5 * power]) if (step >= least) return step;
    power *= 10;
  }
}
