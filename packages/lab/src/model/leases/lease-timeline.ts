/** The timeline of terms as a scene: what is drawn where. Time runs to the right; one row per candidate. */
import type { DemoFault, DemoSnapshot } from './demo-snapshot.ts';
import type { ElectionTerm, KnownElection } from './lease-snapshot.ts';
import { endWords, shortTokens, spanText } from './lease-text.ts';

export interface TimelineRow {
  readonly id: string;
  readonly y: number;
  readonly leads: boolean;
}

export interface TermBar {
  readonly token: string;
  /** Null if the bar is too narrow for it. */
  readonly text: string | null;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isCurrent: boolean;
  /** The part that is granted but has not passed: only of the current term. */
  readonly restWidth: number;
}

/** A stretch in which a process was paused, blocked or gone. `holding`: since a moment at which it led. */
export interface FaultSpan {
  readonly type: 'paused' | 'blocked' | 'gone';
  readonly holding: boolean;
  readonly x: number;
  readonly width: number;
  readonly y: number;
}

/** refused: by the fence. late: written to the resource without a fence. */
export interface TimelineMark {
  readonly type: 'killed' | 'restarted' | 'refused' | 'late';
  readonly x: number;
  readonly y: number;
}

export interface TimelineLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
  readonly tone: 'quiet' | 'fault' | 'fence';
}

export interface LeaseScene {
  readonly width: number;
  readonly height: number;
  readonly barHeight: number;
  /** Where the rows begin. */
  readonly left: number;
  readonly nowX: number;
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
  readonly rows: readonly TimelineRow[];
  readonly bars: readonly TermBar[];
  readonly spans: readonly FaultSpan[];
  readonly marks: readonly TimelineMark[];
  readonly labels: readonly TimelineLabel[];
  /** The time at a place, on the store's clock. */
  timeAt(x: number): number;
}

export interface LeaseTimelineOptions {
  readonly nowMs: number;
  readonly windowMs: number;
  readonly width: number;
  /** False if the election was read some time ago: then no term is drawn as the current one. */
  readonly isPresent?: boolean;
}

const NARROW = 560;
const MAX_ROWS = 12;
const TOP = 28;
/** Parts of the window. */
const MIN_FUTURE = 0.06;
const MAX_FUTURE = 0.2;
const DIGIT_WIDTH = 8;
const LETTER_WIDTH = 6.4;
/** A bold letter of a wide font. */
const NAME_WIDTH = 8.2;

/** The candidates of the rows: all processes of the demo; else those that led in the window or wait, at most twelve. */
export function rowIds(
  election: KnownElection,
  demo: DemoSnapshot | null,
  { nowMs, windowMs }: Pick<LeaseTimelineOptions, 'nowMs' | 'windowMs'>,
): readonly string[] {
  if (demo !== null) return demo.processes.map(({ id }) => id);
  const recent = election.terms.filter(({ endMs }) => endMs === null || endMs >= nowMs - windowMs);
  const ids = [...recent.map(({ holder }) => holder), ...election.candidates.map(({ id }) => id)];
  return [...new Set(ids)].slice(0, MAX_ROWS).sort();
}

export function leaseScene(
  election: KnownElection,
  demo: DemoSnapshot | null,
  { nowMs, windowMs, width, isPresent = true }: LeaseTimelineOptions,
): LeaseScene {
  const isNarrow = width < NARROW;
  const [rowHeight, barHeight] = isNarrow ? [34, 18] : [48, 22];
  const { leader, terms } = election;
  const current = isPresent && leader.type === 'led' ? leader : null;
  const faults = demo?.faults ?? [];
  const ids = rowIds(election, demo, { nowMs, windowMs });
  const left = Math.min(
    width / 3,
    14 + Math.max(isNarrow ? 40 : 72, ...ids.map(({ length }) => length * NAME_WIDTH)),
  );
  // A long lease must not squeeze the past: its rest is cut at the edge.
  const restMs = Math.min(Math.max(0, current?.remainingMs ?? 0), windowMs * MAX_FUTURE);
  const futureMs = Math.max(windowMs * MIN_FUTURE, restMs);
  const perMs = (width - left - 12) / (windowMs + futureMs);
  const nowX = left + windowMs * perMs;
  const xOf = (ms: number): number => Math.min(width - 8, Math.max(left, nowX + (ms - nowMs) * perMs));
  const isPast = (ms: number): boolean => ms < nowMs - windowMs;
  const rows = ids.map((id, index) => ({
    id,
    y: TOP + rowHeight * (index + 0.5),
    leads: current?.holder === id,
  }));
  const yOf = (id: string): number | undefined => rows.find((row) => row.id === id)?.y;
  const shown = terms.filter(
    ({ endMs, holder }) => !(endMs !== null && isPast(endMs)) && yOf(holder) !== undefined,
  );
  const short = shortTokens(terms.map(({ token }) => token));
  const isCurrent = ({ token }: ElectionTerm): boolean => current?.token === token;
  const bars = shown.map((term): TermBar => {
    const endMs = isCurrent(term) ? nowMs : (term.endMs ?? Math.min(nowMs, term.grantedUntilMs));
    const x = xOf(term.startMs);
    const barWidth = Math.max(2, xOf(endMs) - x);
    const text = short(term.token);
    return {
      token: term.token,
      text: text.length * DIGIT_WIDTH + 8 <= barWidth ? text : null,
      ...{ x, width: barWidth, y: (yOf(term.holder) ?? 0) - barHeight / 2, height: barHeight },
      isCurrent: isCurrent(term),
      restWidth: isCurrent(term) ? restMs * perMs : 0,
    };
  });
  const labels = new Labels(barHeight, left, isNarrow);
  const marks: TimelineMark[] = [];
  for (const write of demo?.ledger.notable ?? []) {
    const y = yOf(write.id);
    if (y === undefined || isPast(write.atMs)) continue;
    marks.push({ type: 'refused', x: xOf(write.atMs), y });
    labels.add('late write refused', xOf(write.atMs), y, 'fence');
  }
  for (const write of demo?.file.notable ?? []) {
    const y = yOf(write.id);
    if (y !== undefined && !isPast(write.atMs)) marks.push({ type: 'late', x: xOf(write.atMs), y });
  }
  for (const term of shown) {
    const words = endWords(term, faults);
    const y = yOf(term.holder);
    if (words === null || y === undefined || term.endMs === null) continue;
    labels.add(words, xOf(term.endMs), y, words.includes('killed') ? 'fault' : 'quiet');
  }
  const spans = spansOf(faults, terms, nowMs).flatMap(
    ({ id, type, holding, startMs, endMs }): FaultSpan[] => {
      const y = yOf(id);
      if (y === undefined || isPast(endMs)) return [];
      return [{ type, holding, x: xOf(startMs), width: xOf(endMs) - xOf(startMs), y }];
    },
  );
  for (const { id, type, atMs } of faults) {
    const y = yOf(id);
    if (y === undefined || isPast(atMs)) continue;
    const isEnd = type === 'killed' || type === 'ended';
    if (isEnd) marks.push({ type: 'killed', x: xOf(atMs), y });
    if (type === 'restarted') marks.push({ type: 'restarted', x: xOf(atMs), y });
    const isTold = shown.some(
      (term) => term.holder === id && endWords(term, faults)?.includes(type) === true,
    );
    if (!isTold) labels.add(type, xOf(atMs), y, isEnd ? 'fault' : 'quiet');
  }
  return {
    ...{ width, height: TOP + rowHeight * Math.max(1, rows.length) + 8, barHeight, left, nowX },
    ticks: ticksOf(nowMs, windowMs, xOf, isNarrow ? 3 : 6),
    ...{ rows, bars, spans, marks, labels: labels.all },
    timeAt: (x) => nowMs + (x - nowX) / perMs,
  };
}

function ticksOf(
  nowMs: number,
  windowMs: number,
  xOf: (ms: number) => number,
  count: number,
): { x: number; text: string }[] {
  const ticks = Array.from({ length: count }, (_, index) => {
    const agoMs = (windowMs * (count - index)) / count;
    return { x: xOf(nowMs - agoMs), text: `−${spanText(Math.round(agoMs / 1000) * 1000)}` };
  });
  return [...ticks, { x: xOf(nowMs), text: 'now' }];
}

interface TimedSpan {
  readonly id: string;
  readonly type: FaultSpan['type'];
  readonly holding: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

const SPAN_TYPES: Readonly<Partial<Record<DemoFault['type'], FaultSpan['type']>>> = {
  paused: 'paused',
  blocked: 'blocked',
  killed: 'gone',
  ended: 'gone',
};

/** From each fault to the next event of the same process. */
function spansOf(faults: readonly DemoFault[], terms: readonly ElectionTerm[], nowMs: number): TimedSpan[] {
  return faults.flatMap(({ id, type, atMs }, index): TimedSpan[] => {
    const spanType = SPAN_TYPES[type];
    if (spanType === undefined) return [];
    // The newest fault comes first.
    const next = faults.slice(0, index).findLast((each) => each.id === id);
    const holding = terms.some(
      (term) =>
        term.holder === id && term.startMs <= atMs && (term.endMs ?? Number.POSITIVE_INFINITY) >= atMs,
    );
    return [{ id, type: spanType, holding, startMs: atMs, endMs: next?.atMs ?? nowMs }];
  });
}

/** Places each label above or below its row, and leaves out one that has room in neither place. Narrow scenes have none. */
class Labels {
  readonly all: TimelineLabel[] = [];
  readonly #barHeight: number;
  readonly #left: number;
  readonly #taken: { y: number; from: number; to: number }[] = [];

  readonly #isNarrow: boolean;

  constructor(barHeight: number, left: number, isNarrow: boolean) {
    this.#barHeight = barHeight;
    this.#left = left;
    this.#isNarrow = isNarrow;
  }

  add(text: string, x: number, rowY: number, tone: TimelineLabel['tone']): void {
    if (this.#isNarrow) return;
    const width = text.length * LETTER_WIDTH;
    const anchor = x - width < this.#left ? 'start' : 'end';
    const [from, to] = anchor === 'end' ? [x - width, x] : [x, x + width];
    const above = rowY - this.#barHeight / 2 - 4;
    const below = rowY + this.#barHeight / 2 + 11;
    const y = [above, below].find(
      (each) => !this.#taken.some((other) => other.y === each && other.from < to + 6 && from < other.to + 6),
    );
    if (y === undefined) return;
    this.#taken.push({ y, from, to });
    this.all.push({ text, x, y, anchor, tone });
  }
}
