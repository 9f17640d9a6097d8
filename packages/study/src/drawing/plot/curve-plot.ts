/** A plot of measured points with confidence bars and of laws as curves, on logarithmic axes, readable in grey print. */
import { DEFAULT_STYLE, PALETTES, type PictureStyle, SHEET_SIZES } from '../style.ts';
import type { Plot } from './plot.ts';
import { layoutPlot } from './plot-layout.ts';
import { renderPlot } from './render-plot.ts';

/** One SVG document. */
export function curvePlot(plot: Plot, style: PictureStyle = DEFAULT_STYLE): string {
  const sheet = SHEET_SIZES[style.size];
  const palette = PALETTES[style.theme];
  return renderPlot(layoutPlot(plot, sheet), `${plot.title}. ${plot.subtitle}`, {
    palette,
    background: style.transparent ? null : palette.paper,
    width: sheet.width,
    height: sheet.height,
  });
}
