/** Labels of series and curves: marks, a sample of the line, and wrapped text. */
import { placeText } from '../placed-text.ts';
import type { Point } from '../svg.ts';
import { textWidth } from '../text-box.ts';
import type { Plot, PlotCurve } from './plot.ts';
import type { PlotLine, PlotMark, PlotText } from './plot-scene.ts';

/** As multiples of the base size. */
const MARK_STEP = 1.05;
const SAMPLE = 1.9;
const GAP = 0.45;
export const LINE_HEIGHT = 1.3;
const LAW_SIZE = 0.86;
/** A law of more series than this, if it belongs to all of them, has the word 'all' for their marks. */
const MAX_MARKS = 4;

export interface PlotLabel {
  readonly marks: readonly number[];
  /** Null for the name of a series. */
  readonly dash: PlotCurve['dash'] | null;
  readonly series: number | null;
  readonly lines: readonly string[];
  readonly size: number;
  /** The width of marks and sample. */
  readonly head: number;
  readonly width: number;
  readonly height: number;
}

/** What a label consists of once it has a place. */
export interface DrawnLabel {
  readonly texts: readonly PlotText[];
  readonly marks: readonly PlotMark[];
  readonly lines: readonly PlotLine[];
}

export function seriesLabel({ series }: Plot, index: number, most: number, text: number): PlotLabel {
  return labelOf(series[index].name, [index], null, index, most, text);
}

export function curveLabel(plot: Plot, curve: PlotCurve, most: number, text: number): PlotLabel {
  const { dash, name, series } = curve;
  const isAll = series.length > MAX_MARKS && series.length === plot.series.length;
  return labelOf(isAll ? `all: ${name}` : name, isAll ? [] : series, dash, ownerOf(curve), most, text);
}

/** The series whose colour a curve has. */
export function ownerOf({ series }: PlotCurve): number | null {
  return series.length === 1 ? series[0] : null;
}

function labelOf(
  name: string,
  marks: readonly number[],
  dash: PlotLabel['dash'],
  series: number | null,
  most: number,
  text: number,
): PlotLabel {
  const size = text * (dash === null ? 1 : LAW_SIZE);
  const head = text * (marks.length * MARK_STEP + (dash === null ? 0 : SAMPLE) + GAP);
  const widthOf = (line: string): number => textWidth(line, size, dash === null);
  const lines = wrapText(name, most - head, widthOf);
  const width = head + Math.max(...lines.map(widthOf));
  return { marks, dash, series, lines, size, head, width, height: lines.length * size * LINE_HEIGHT };
}

/** A word that is too wide is cut between characters. */
export function wrapText(text: string, most: number, widthOf: (line: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= most) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && widthOf(line + character) > most) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return [...lines, line];
}

/** `at` is the upper left corner. */
export function drawLabel(label: PlotLabel, at: Point, text: number): DrawnLabel {
  const { dash, lines, marks, series, size } = label;
  const middle = at.y + (size * LINE_HEIGHT) / 2;
  const sampleFrom = at.x + marks.length * MARK_STEP * text;
  const samples: PlotLine[] =
    dash === null
      ? []
      : [
          {
            type: dash,
            series,
            points: [0.1, SAMPLE - 0.1].map((k) => ({ x: sampleFrom + k * text, y: middle })),
          },
        ];
  return {
    marks: marks.map((each, index) => ({
      series: each,
      at: { x: at.x + (index + 0.5) * MARK_STEP * text, y: middle },
      radius: markRadius(text),
    })),
    lines: samples,
    texts: lines.map((line, index) => {
      const x = at.x + label.head;
      const y = middle + index * size * LINE_HEIGHT;
      const role = dash === null ? 'name' : 'law';
      return placeText({ text: line, role, x, y, size, isBold: dash === null, series });
    }),
  };
}

export function markRadius(text: number): number {
  return text * 0.3;
}
