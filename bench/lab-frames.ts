/** The cost of frames from a trace of Chromium: script, style, layout and paint on the main thread of the page. */

/** An event of a trace, as far as it is read. Times are microseconds. */
export interface TraceRecord {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread, which other work on the machine does not lengthen. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly frame?: string } };
}

/** Script, with what it causes: style, layout, paint, and garbage collection. */
const COUNTED = new Set([
  ...['FunctionCall', 'FireAnimationFrame', 'TimerFire', 'EventDispatch', 'EvaluateScript', 'RunMicrotasks'],
  ...['UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'UpdateLayer', 'Commit'],
  ...['MajorGC', 'MinorGC', 'HitTest', 'ScheduleStyleRecalculation'],
]);

/** Milliseconds of processor time per frame. What script did since the last frame belongs to the next. */
export function frameCosts(events: readonly TraceRecord[]): number[] {
  const thread = mainThread(events);
  const own = events
    .filter(({ name, ph, pid, tid }) => ph === 'X' && COUNTED.has(name) && `${pid} ${tid}` === thread)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const costs: number[] = [];
  let [cost, end] = [0, Number.NEGATIVE_INFINITY];
  for (const { dur = 0, name, tdur = dur, ts } of own) {
    // An event within another is part of it.
    if (ts >= end) {
      cost += tdur / 1000;
      end = ts + dur;
    }
    if (name !== 'Commit') continue;
    costs.push(cost);
    cost = 0;
  }
  return costs;
}

/** The thread with the most animation frames: other pages and the browser itself have threads of the same name. */
function mainThread(events: readonly TraceRecord[]): string {
  const counts = new Map<string, number>();
  for (const { name, pid, tid } of events) {
    if (name !== 'FireAnimationFrame') continue;
    const key = `${pid} ${tid}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (most === undefined)
    throw new Error('the trace has no animation frame: let the page play while it is traced');
  return most[0];
}
