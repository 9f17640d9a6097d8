/**
 * The space-time diagram of a run as data for a page: the timeline of the current branch, and a window of it. The cursor, the
 * scrubber and the tree of branches share its horizontal axis.
 */
import { type Timeline, timelineOf } from '../../../drawing/space-time/timeline.ts';
import { type WindowScene, windowScene } from '../../../drawing/space-time/window.ts';
import { purposesOf } from '../../../drawing/trace/purpose.ts';
import { appearanceOf } from '../../../kernel/appearance.ts';
import type { RunModel } from '../run/run-model.ts';
import type { Axis } from '../run/run-trace.ts';

/** A window of a run on the page. */
export interface TimeView {
  readonly scene: WindowScene;
  readonly axis: Axis;
  /** In units of the axis. */
  readonly from: number;
  readonly until: number;
  /** The end of the run. */
  readonly end: number;
}

/** Pixels of a unit below which the window scrolls instead of shrinking. */
const LEAST_UNIT: Readonly<Record<Axis, number>> = { units: 34, steps: 11 };

const timelines = new WeakMap<RunModel, Map<string, Timeline>>();

/** The timeline of the current branch. It is computed once per version of the branch. */
export function timelineOfRun(model: RunModel, axis: Axis): Timeline {
  const { algorithm, branch, plan } = model;
  const known = timelines.get(model) ?? new Map<string, Timeline>();
  timelines.set(model, known);
  const key = `${branch.id}.${branch.version} ${axis}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const timeline = timelineOf(model.events(axis), {
    topology: plan.topology,
    ...purposesOf(algorithm),
    appearance: (state) => appearanceOf(algorithm, state),
  });
  // Versions that are no longer shown are not needed again.
  if (known.size > 8) known.clear();
  known.set(key, timeline);
  return timeline;
}

/** The window around the cursor: the whole run if it fits, otherwise a part in which the cursor is at two thirds. */
export function timeView(
  model: RunModel,
  axis: Axis,
  { width, height, text }: { readonly width: number; readonly height: number; readonly text: number },
): TimeView {
  const timeline = timelineOfRun(model, axis);
  const { end } = timeline;
  const shown = Math.max(1, (width - 4 * text) / LEAST_UNIT[axis]);
  const cursor = model.trace().at(axis, model.position);
  const busy = timeline.pieces.reduce(
    (sum, { fold, from, until }) => sum + (fold === null ? until - from : 1),
    0,
  );
  const isWhole = busy <= shown;
  // The window moves by whole parts of its length, so that the drawing stays while the cursor moves.
  const stride = Math.max(1, Math.floor(shown / 2));
  const from = isWhole
    ? 0
    : Math.max(0, Math.min(end - shown, Math.floor(cursor / stride) * stride - stride));
  const until = isWhole ? end : Math.min(end, from + shown);
  const window = { from, until, width, height, text, ids: model.ids };
  return { scene: windowScene(timeline, window), axis, from, until, end };
}

/** The x of a position of the current branch; null if it is outside the window. */
export function xOfPosition(
  model: RunModel,
  { axis, from, scene, until }: TimeView,
  position: number,
): number | null {
  const place = model.trace().at(axis, position);
  return place < from || place > until ? null : scene.xOf(place);
}

/** The last position whose x is at or left of a point. */
export function positionAtX(model: RunModel, view: TimeView, x: number): number {
  const trace = model.trace();
  let [low, high] = [0, model.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const place = trace.at(view.axis, middle);
    const isLeft = place <= view.from || (place <= view.until && view.scene.xOf(place) <= x);
    if (isLeft) low = middle;
    else high = middle - 1;
  }
  return low;
}
