/** Pictures of runs: text for a terminal, SVG for a page. Pure: events and topologies in, strings out. */
export { type Paint, type Tone, textColumns } from './character-canvas.ts';
export { curvePlot } from './curve-plot.ts';
export { drawNetwork, MOST_DRAWN_NODES, type NetworkState } from './network-picture.ts';
export type { PictureOptions } from './node-mark.ts';
export type { Plot, PlotCurve, PlotPoint } from './plot.ts';
export { checkDrawable, type SpaceTimeOptions, spaceTimeDiagram } from './space-time.ts';
