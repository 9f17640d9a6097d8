/** The legend: what occurs in the picture, and nothing else. */

import { placeText } from '../placed-text.ts';
import type { Box } from '../text-box.ts';
import { textWidth } from '../text-box.ts';
import { commonNoun } from '../trace/numbered-name.ts';
import { legendOf, type MessageTypeStyle } from './message-style.ts';
import type { LegendEntry, LegendSample, SceneStrip, SceneText } from './scene.ts';
import type { Timeline } from './timeline.ts';
import type { MarkKind } from './transfer.ts';

export interface LegendItem {
  readonly sample: LegendSample;
  readonly text: string;
}

const MARK_TEXTS: Readonly<Record<MarkKind, string>> = {
  start: 'starts by itself',
  timer: 'timer fires',
  undelivered: 'learns that its message was not delivered',
  passive: 'turns passive',
  follower: 'follows the leader',
  leader: 'becomes leader',
  crash: 'crashes',
  recover: 'recovers',
};

/** In units of the text size. */
const SIZE = 0.85;
const LINE = 1.55;
const GAP = 1.6;
const LINE_SAMPLE = 2.6;
const MARK_SAMPLE = 1.3;

/** The entries of a picture with these strips. */
export function legendItems(
  timeline: Timeline,
  strips: readonly Pick<SceneStrip, 'arrows' | 'bands' | 'lines' | 'marks'>[],
  types: ReadonlyMap<string, MessageTypeStyle>,
): LegendItem[] {
  const items: LegendItem[] = [];
  const arrows = strips.flatMap((strip) => strip.arrows);
  const lineOf = (text: string, sample: Omit<Extract<LegendSample, { type: 'line' }>, 'type'>): void => {
    items.push({ text, sample: { type: 'line', ...sample } });
  };
  const drawn = new Set(arrows.map(({ sending }) => sending));
  const shown = new Set(
    timeline.transfers.filter(({ sending }) => drawn.has(sending)).map(({ message }) => message.type),
  );
  for (const style of types.values()) {
    const { purpose, stroke, type } = style;
    if (shown.has(type)) lineOf(legendOf(style), { purpose, stroke, end: 'head', isDuplicate: false });
  }
  const ends = arrows.flatMap(({ segments, ...arrow }) => segments.map(({ end }) => ({ ...arrow, end })));
  const first = (end: string) => ends.find((each) => each.end === end);
  const texts = { bar: 'swallowed: nothing follows', cross: 'lost', flight: 'in flight at the end' } as const;
  for (const end of ['bar', 'cross', 'flight'] as const) {
    const found = first(end);
    if (found !== undefined) lineOf(texts[end], { ...styleOf(found), end, isDuplicate: false });
  }
  const duplicate = arrows.find(({ isDuplicate }) => isDuplicate);
  if (duplicate !== undefined)
    lineOf('delivered again', { ...styleOf(duplicate), end: 'head', isDuplicate: true });
  const marks = strips.flatMap((strip) => strip.marks);
  const { timers } = timeline;
  for (const kind of Object.keys(MARK_TEXTS) as MarkKind[]) {
    if (!marks.some((mark) => mark.kind === kind)) continue;
    const text = kind === 'timer' && timers.size === 1 ? `timer ${[...timers][0]} fires` : MARK_TEXTS[kind];
    items.push({ text, sample: { type: 'mark', kind } });
  }
  const lines = strips.flatMap((strip) => strip.lines);
  if (lines.some(({ state }) => state === 'asleep')) {
    items.push({ text: 'asleep', sample: { type: 'state', state: 'asleep' } });
  }
  const bands = strips.flatMap((strip) => strip.bands);
  if (bands.some(({ type }) => type === 'idle'))
    items.push({ text: 'idle time, shortened', sample: { type: 'band', band: 'idle' } });
  if (bands.some(({ type }) => type === 'upkeep'))
    items.push({ text: foldedText(timeline, drawn), sample: { type: 'band', band: 'upkeep' } });
  if (bands.some(({ type }) => type.startsWith('phase'))) {
    const text = `${commonNoun(timeline.phases.map(({ text }) => text)) ?? 'phase'}, from the first node that enters it`;
    items.push({ text, sample: { type: 'band', band: 'phase, odd' } });
  }
  return items;
}

function styleOf({ purpose, stroke }: { purpose: MessageTypeStyle['purpose']; stroke: number }) {
  return { purpose, stroke };
}

/** 'upkeep, folded: 532 heartbeat, 532 acknowledge' */
function foldedText({ transfers }: Timeline, drawn: ReadonlySet<number>): string {
  const counts = new Map<string, number>();
  for (const { message, sending } of transfers) {
    if (!drawn.has(sending)) counts.set(message.type, (counts.get(message.type) ?? 0) + 1);
  }
  return `upkeep, folded: ${[...counts].map(([type, count]) => `${count} ${type}`).join(', ')}`;
}

export interface PlacedLegend {
  readonly entries: readonly LegendEntry[];
  readonly texts: readonly SceneText[];
  readonly height: number;
}

/** The height of a legend with this many lines. */
export function legendLines(lines: number, text: number): number {
  return lines * LINE * text;
}

/** Lines of entries between two margins. */
export function placeLegend(
  items: readonly LegendItem[],
  notes: readonly string[],
  { x: left, y: top, width }: Pick<Box, 'x' | 'y' | 'width'>,
  text: number,
): PlacedLegend {
  const size = SIZE * text;
  const entries: LegendEntry[] = [];
  const texts: SceneText[] = [];
  let [x, y] = [left, top];
  const advance = (needed: number): void => {
    if (x > left && x + needed > left + width) [x, y] = [left, y + LINE * text];
  };
  for (const item of items) {
    const sample = (item.sample.type === 'mark' ? MARK_SAMPLE : LINE_SAMPLE) * text;
    const needed = sample + 0.45 * text + textWidth(item.text, size);
    advance(needed);
    entries.push({ sample: item.sample, at: { x, y: y - text / 2, width: sample, height: text } });
    texts.push(placeText({ text: item.text, role: 'legend', x: x + sample + 0.45 * text, y, size }));
    x += needed + GAP * text;
  }
  for (const note of notes) {
    const needed = textWidth(note, size);
    advance(needed);
    texts.push(placeText({ text: note, role: 'note', x, y, size }));
    x += needed + GAP * text;
  }
  return { entries, texts, height: y - top + LINE * text };
}
