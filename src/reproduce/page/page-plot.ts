/**
 * A plot on the page, drawn twice: wide, and narrow for a phone. The style shows one of them. Its colours are those of the
 * page, so it follows the theme of the reader.
 */
import type { Plot } from '../../drawing/plot/plot.ts';
import { layoutPlot } from '../../drawing/plot/plot-layout.ts';
import { renderPlot } from '../../drawing/plot/render-plot.ts';
import { PALETTES, type Palette } from '../../drawing/style.ts';

const WIDE = { width: 940, height: 530, text: 14 };
const NARROW = { width: 320, height: 400, text: 13.5 };

/** Every colour is a variable of the page. A hollow mark has the colour of the card under it. */
const COLOURS: Palette = {
  ...(Object.fromEntries(
    Object.keys(PALETTES.light).map((name) => [name, `var(--${name.toLowerCase()})`]),
  ) as unknown as Palette),
  paper: 'var(--well)',
  ghost: PALETTES.light.ghost,
};

export function pagePlot(plot: Plot): string {
  const draw = (sheet: typeof WIDE): string =>
    renderPlot(layoutPlot(plot, sheet), `${plot.title}. ${plot.subtitle}`, {
      palette: COLOURS,
      background: null,
    }).trim();
  return `<figure class="plot"><div class="wide-plot">${draw(WIDE)}</div><div class="narrow-plot">${draw(NARROW)}</div></figure>`;
}
