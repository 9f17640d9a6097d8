/** Pictures of runs as text for a terminal and SVG for a page. Pure functions from events and topologies to strings. */

export type { Paint, Tone } from '@hustings/base';
export type * from '../kernel/index.ts';
export { drawGraph } from './graph/graph-drawing.ts';
export { graphScene } from './graph/graph-layout.ts';
export type * from './graph/graph-scene.ts';
export { networkAnimation } from './network/animation.ts';
export type { FrameChoice, NodeRole, RunRecord } from './network/frames.ts';
export type { Polyline } from './network/geometry.ts';
export {
  checkNetworkDrawable,
  type NetworkDrawingOptions,
  networkDrawing,
  networkScene,
} from './network/network-drawing.ts';
export type * from './network/network-scene.ts';
export { drawNetwork, MAX_DRAWN_NODES, type NetworkPicture } from './network/text/network-picture.ts';
export type { PictureOptions } from './network/text/node-mark.ts';
export type { PlacedText } from './placed-text.ts';
export { curvePlot } from './plot/curve-plot.ts';
export type { Plot, PlotCurve, PlotPoint } from './plot/plot.ts';
export type { AppearanceOf, Span } from './space-time/lifelines.ts';
export type { MessageTypeInfo, MessageTypeStyle } from './space-time/message-style.ts';
export type {
  ArrowEnd,
  LegendEntry,
  LegendSample,
  LineStyle,
  Scene,
  SceneArrow,
  SceneBand,
  SceneHead,
  SceneLine,
  SceneMark,
  SceneStrip,
  SceneText,
  Segment,
} from './space-time/scene.ts';
export {
  checkDrawable,
  drawSpaceTime,
  type SpaceTimeOptions,
  spaceTimeDiagram,
} from './space-time/space-time.ts';
export type { Piece } from './space-time/time-scale.ts';
export {
  type Leadership,
  type LeadsBy,
  type PhaseStart,
  type Timeline,
  type TimelineOptions,
  timelineOf,
} from './space-time/timeline.ts';
export type { Mark, MarkKind, Transfer } from './space-time/transfer.ts';
export { type TimelineWindow, type WindowScene, windowScene } from './space-time/window.ts';
export {
  DEFAULT_STYLE,
  PALETTES,
  type Palette,
  type PictureSize,
  type PictureStyle,
  SANS,
  SERIF,
  SHEET_SIZES,
  type SheetSize,
  type Theme,
} from './style.ts';
export type { Point } from './svg.ts';
export type { Anchor, Box } from './text-box.ts';
export type { Flight } from './trace/flights.ts';
export type { MessageField } from './trace/message-fields.ts';
export type { MessagePurpose } from './trace/purpose.ts';
