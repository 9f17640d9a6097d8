/**
 * Where rows and times go on a sheet. A long run is split into strips, one below the other; a run that is still too dense
 * gets a larger sheet of the same shape, on which texts are smaller.
 */
import type { SheetSize } from '../style.ts';
import { type Piece, TimeScale } from './time-scale.ts';

/** What one strip needs to know to place rows and times. */
export interface StripFrame {
  readonly scale: TimeScale;
  /** The window of time, in units. */
  readonly from: number;
  readonly until: number;
  /** The x of the left ends of the heads, of the first time, and of the ends of the lines. */
  readonly edge: number;
  readonly left: number;
  readonly right: number;
  /** The y of the axis labels, of the phase labels, and of the first row. */
  readonly axisY: number;
  readonly phaseY: number;
  readonly firstY: number;
  /** The distance between rows, and the room above the first and below the last one. */
  readonly pitch: number;
  readonly overhang: number;
  /** Positions from top to bottom. */
  readonly rows: readonly number[];
  /** The base of all sizes. */
  readonly text: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly text: number;
  /** The base of the sizes of title and subtitle. */
  readonly titleText: number;
  readonly strips: readonly StripFrame[];
  readonly legendY: number;
  /** Left and right margin. */
  readonly margin: number;
}

export interface LayoutInput {
  readonly sheet: SheetSize;
  readonly rows: readonly number[];
  readonly pieces: readonly Piece[];
  readonly isRing: boolean;
  readonly hasPhases: boolean;
  /** The widest head, in units of the text size. */
  readonly headWidth: number;
  readonly legendHeight: number;
}

/** In units of the text size: a unit of time and a row that leave room for labels. */
const GOOD_UNIT = 3.6;
const GOOD_PITCH = 2.5;
const MAX_UNIT = 22;
const MAX_PITCH = 12;
const MAX_FOLD = 6;
/** Below this share of the good sizes the sheet grows. */
const READABLE = 0.55;
const GROWTH = 1.15;
const MAX_GROWTH = 6;
const MAX_STRIPS = 4;
/** Another strip must be worth its axis. */
const WORTH = 1.12;

export function layOut(input: LayoutInput): Layout {
  for (let growth = 1; ; growth *= GROWTH) {
    let best = attempt(input, growth, 1);
    for (let strips = 2; strips <= MAX_STRIPS; strips++) {
      const other = attempt(input, growth, strips);
      if (Math.min(1, other.score) > Math.min(1, best.score) * WORTH) best = other;
    }
    if (best.score >= READABLE || growth >= MAX_GROWTH) return best.layout;
  }
}

interface Attempt {
  readonly layout: Layout;
  /** 1 if rows and units have the good sizes. */
  readonly score: number;
}

function attempt(input: LayoutInput, growth: number, count: number): Attempt {
  const { hasPhases, isRing, pieces, rows, sheet } = input;
  const { text } = sheet;
  const [width, height] = [sheet.width * growth, sheet.height * growth];
  const margin = 2 * text;
  // On a larger sheet the title grows with it.
  const titleText = text * growth;
  const top = 5 * titleText;
  const bottom = height - 1.2 * text - input.legendHeight;
  const edge = margin;
  const left = edge + (input.headWidth + 1.3) * text;
  const right = width - margin;
  const room = right - left - 1.4 * text;
  const scale = scaleFor(pieces, room, count, text);
  const cuts = cutsOf(scale, room);
  const axis = (hasPhases ? 3 : 1.7) * text;
  const stripHeight = (bottom - top) / cuts.length;
  // The overhang is a share of the pitch, for the arrows that cross the end of a ring.
  const share = isRing ? 0.62 : 0.5;
  const free = stripHeight - axis - 0.5 * text;
  const pitch = Math.min(MAX_PITCH * text, free / (rows.length - 1 + 2 * share));
  const overhang = pitch * share;
  // Few rows stand in the middle of their strip.
  const slack = (free - pitch * (rows.length - 1 + 2 * share)) / 2;
  const strips = cuts.map(([from, until], k): StripFrame => {
    const stripTop = top + k * stripHeight + Math.max(0, slack);
    return {
      ...{ scale, from, until, edge, left, right, pitch, overhang, rows, text },
      axisY: stripTop + 0.8 * text,
      phaseY: stripTop + 2.2 * text,
      firstY: stripTop + axis + overhang,
    };
  });
  const score =
    cuts.length > count ? 0 : Math.min(scale.unit / (GOOD_UNIT * text), pitch / (GOOD_PITCH * text));
  return { layout: { width, height, text, titleText, strips, legendY: bottom + 0.9 * text, margin }, score };
}

/** Fills the strips, shrunk until the cuts at whole times fit. */
function scaleFor(pieces: readonly Piece[], room: number, count: number, text: number): TimeScale {
  const folds = pieces.filter(({ fold }) => fold !== null).length;
  const busy = pieces.reduce((sum, { fold, from, until }) => sum + (fold === null ? until - from : 0), 0);
  const fold = folds === 0 ? 0 : Math.min(MAX_FOLD * text, (0.45 * room * count) / folds);
  const unitFor = (length: number): number =>
    Math.min(MAX_UNIT * text, (length - folds * fold) / Math.max(busy, 1e-9));
  let scale = new TimeScale(pieces, unitFor(room * count), fold);
  for (let shrink = 1; shrink > 0.5 && cutsOf(scale, room).length > count; shrink -= 0.02) {
    scale = new TimeScale(pieces, unitFor(room * count * shrink), fold);
  }
  return scale;
}

/** The windows of time that fit, cut at whole times and at the ends of folds. */
function cutsOf(scale: TimeScale, room: number): [number, number][] {
  const { pieces } = scale;
  const end = pieces[pieces.length - 1].until;
  const places = pieces.flatMap(({ fold, from, until }) =>
    fold === null ? [...wholeTimes(from, until), until] : [until],
  );
  const cuts: [number, number][] = [];
  let from = pieces[0].from;
  let last = from;
  for (const place of places) {
    if (scale.at(place) - scale.at(from) > room + 0.01 && last > from) {
      cuts.push([from, last]);
      from = last;
    }
    last = place;
  }
  cuts.push([from, end]);
  return cuts;
}

function wholeTimes(from: number, until: number): number[] {
  const first = Math.floor(from) + 1;
  return Array.from({ length: Math.max(0, Math.ceil(until) - first) }, (_, k) => first + k);
}
