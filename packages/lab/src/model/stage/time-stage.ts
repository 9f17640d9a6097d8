/**
 * The space-time diagram of a run as data for a page: the timeline of the current branch, and a window of it. The cursor, the
 * scrubber and the tree of branches share its horizontal axis.
 */
import { type Timeline, timelineOf, type WindowScene, windowScene } from '@hustings/study/drawing';
import { purposesOf } from '@hustings/study/internal/drawing/trace/purpose';
import { nodeSummaryAt } from '@hustings/study/internal/kernel/node-summary-at';
import { appearanceOf } from '@hustings/study/kernel';
import type { RunModel } from '../run/run-model.ts';
import type { Axis } from '../run/run-trace.ts';

/** A window of time, in units of the axis. */
export interface TimeWindow {
  readonly from: number;
  readonly until: number;
}

/** A window of a run on the page. */
export interface TimeView extends TimeWindow {
  readonly scene: WindowScene;
  readonly axis: Axis;
  /** The x of the scene on the page. */
  readonly left: number;
}

/** The area of a diagram, in pixels. */
export interface TimeArea {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** The base of all font sizes. */
  readonly text: number;
}

/** Pixels of a unit below which the window scrolls instead of shrinking. */
const MIN_UNIT: Readonly<Record<Axis, number>> = { units: 25, steps: 9 };

const timelines = new WeakMap<RunModel, Map<string, Timeline>>();
/** The units of a timeline that are drawn at their length; idle time counts as one unit. */
const busyUnits = new WeakMap<Timeline, number>();

/** The timeline of the current branch. It is computed once per version of the branch. */
export function timelineOfRun(model: RunModel, axis: Axis): Timeline {
  const { algorithm, branch, plan, world } = model;
  const known = timelines.get(model) ?? new Map<string, Timeline>();
  timelines.set(model, known);
  const key = `${branch.id}.${branch.version} ${axis}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const timeline = timelineOf(model.events(axis), {
    topology: plan.topology,
    ...purposesOf(algorithm),
    appearance: (state) => appearanceOf(algorithm, state),
    ...(algorithm.standing !== undefined && {
      leads: (node: number, state: Readonly<Record<string, unknown>>) =>
        nodeSummaryAt(world.setup, node, state)?.leader === world.setup.ids[node],
    }),
  });
  // Versions that are no longer shown are not needed again.
  if (known.size > 8) known.clear();
  known.set(key, timeline);
  return timeline;
}

/** The window around the cursor: the whole run if it fits, otherwise a part that moves by half its length. */
export function windowAt(model: RunModel, axis: Axis, { text, width }: TimeArea): TimeWindow {
  const timeline = timelineOfRun(model, axis);
  const { end, pieces } = timeline;
  const shown = Math.max(1, (width - 4 * text) / MIN_UNIT[axis]);
  const busy =
    busyUnits.get(timeline) ??
    pieces.reduce((sum, { fold, from, until }) => sum + (fold === null ? until - from : 1), 0);
  busyUnits.set(timeline, busy);
  if (busy <= shown) return { from: 0, until: end };
  const cursor = model.trace().at(axis, model.position);
  const stride = Math.max(1, Math.floor(shown / 2));
  const from = Math.max(0, Math.min(end - shown, Math.floor(cursor / stride) * stride - stride / 2));
  return { from, until: Math.min(end, from + shown) };
}

/** The scene of a window. It depends on the cursor only through the window. */
export function timeView(model: RunModel, axis: Axis, window: TimeWindow, area: TimeArea): TimeView {
  const { left, ...size } = area;
  const scene = windowScene(timelineOfRun(model, axis), { ...window, ...size, ids: model.ids });
  return { scene, axis, left, ...window };
}

/** The x of a place on the axis, at the nearest edge if it is outside the window. */
export function xOfPlace({ from, left, scene, until }: TimeView, place: number): number {
  return left + scene.xOf(Math.max(from, Math.min(until, place)));
}

/** The x of a position of the current branch; null if it is outside the window. */
export function xOfPosition(model: RunModel, view: TimeView, position: number): number | null {
  const place = model.trace().at(view.axis, position);
  return place < view.from || place > view.until ? null : xOfPlace(view, place);
}

/** The last position whose x is at or left of a point. */
export function positionAtX(model: RunModel, view: TimeView, x: number): number {
  const trace = model.trace();
  let [low, high] = [0, model.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const place = trace.at(view.axis, middle);
    const isLeft = place <= view.from || (place <= view.until && xOfPlace(view, place) <= x);
    if (isLeft) low = middle;
    else high = middle - 1;
  }
  return low;
}
