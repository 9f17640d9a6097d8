/** The legend of a plot. */
import { GREY, INK, type Sheet } from '../sheet.ts';
import { element } from '../svg.ts';
import { textWidth } from '../text-box.ts';
import type { Plot } from './plot.ts';
import { curveStyle, drawMark } from './plot-mark.ts';

const LEGEND_SIZE = 12;
const LEGEND_LINE = 21;
const SAMPLE = 34;

/** Each series with its curves, then the shared curves. */
export function drawPlotLegend(
  sheet: Sheet,
  plot: Plot,
  left: number,
  top: number,
): { right: number; bottom: number } {
  let y = top;
  let right = left;
  const write = (text: string, from: number, fill = INK, isBold = false): void => {
    sheet.write({ text, size: LEGEND_SIZE, x: from, y, anchor: 'start', fill, isBold });
    right = Math.max(right, from + textWidth(text, LEGEND_SIZE));
    y += LEGEND_LINE;
  };
  const curves = (of: number | null): void => {
    for (const { name, dash, series } of plot.curves.filter((curve) => curve.series === of)) {
      const d = `M${left} ${y}h${SAMPLE}`;
      sheet.shapes.push(element('path', { d, fill: 'none', ...curveStyle(dash, series) }));
      write(name, left + SAMPLE + 8);
    }
  };
  plot.series.forEach(({ name }, index) => {
    drawMark(sheet, index, { x: left + SAMPLE / 2, y });
    write(name, left + SAMPLE + 8, INK, true);
    curves(index);
    y += 5;
  });
  curves(null);
  y += 8;
  for (const note of plot.notes) write(note, left, GREY);
  return { right, bottom: y };
}
