import { type SceneText, windowScene } from '@hustings/study/drawing';
import {
  type LegendItem,
  legendItems,
  placeLegend,
} from '@hustings/study/internal/drawing/space-time/legend';
import { legendPart, stripParts } from '@hustings/study/internal/drawing/space-time/render';
import { textPart } from '@hustings/study/internal/drawing/space-time/render-text';
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { liveText, windowBefore } from '../../model/cluster/live-timeline.ts';
import { Notice } from '../shell/notice.tsx';
import { TextAlternative } from '../shell/text-alternative.tsx';
import { PAGE_PALETTE } from '../views/page-palette.ts';
import { useSize } from '../views/use-size.ts';
import { type LiveRun, liveRun } from './cluster-feed.ts';

const TEXT = 13;
/** The heads of the rows keep this distance from the edge. */
const LEFT = 6;
/** The heads of the rows, and the room at the end. */
const MARGINS = 80;
/** In pixels. */
const SCALE = { unit: 17, fold: 7.5 * TEXT };
const AXIS = 46;
const PEN = { palette: PAGE_PALETTE, text: TEXT };

/** Rows are lower in a large cluster. */
function rowHeight(members: number): number {
  return members <= 6 ? 56 : members <= 12 ? 40 : 26;
}

/** The space-time diagram of the latest steps. It follows the newest, unless the reader looks back. */
export function LiveDiagram() {
  const run = liveRun.value;
  return (
    <section class="live-diagram" aria-label="Messages between the processes">
      {run === null || run.events.length === 0 ? (
        <Notice kind="empty" text="No member has taken a step that the lab has seen. Kill or restart one." />
      ) : (
        <Drawing run={run} />
      )}
    </section>
  );
}

function Drawing({ run }: { readonly run: LiveRun }) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  /** Null: the newest. */
  const chosen = useSignal<number | null>(null);
  const { events, ids, timeline } = run;
  const width = size?.width ?? 0;
  const height = AXIS + rowHeight(ids.length) * ids.length;
  const room = Math.max(SCALE.unit, width - LEFT - MARGINS);
  const least = width === 0 ? 0 : earliestEnd(run, room);
  const until = Math.min(timeline.end, Math.max(least, chosen.value ?? timeline.end));
  const drawn = useMemo(() => {
    if (width === 0) return null;
    const window = windowBefore(timeline, until, room, SCALE);
    const area = { width: width - LEFT, height, text: TEXT, fold: SCALE.fold };
    const { strip, texts, types } = windowScene(timeline, { ...window, ...area, ids });
    // The numbers of steps mean nothing to a reader.
    const shown = texts.filter(({ role, text }) => role !== 'axis' || !/^\d+$/.test(text));
    const items = legendItems(timeline, [strip], types)
      .filter(({ sample }) => sample.type !== 'band')
      .map(liveItem);
    const legend = placeLegend(items, [], { x: 0, y: TEXT, width: width - 2 * LEFT }, TEXT);
    return {
      strip: partsText(stripParts(strip, PEN), shown),
      legend: partsText(
        legend.entries.map((entry) => legendPart(entry, PEN)),
        legend.texts,
      ),
      legendHeight: legend.height,
    };
  }, [timeline, until, width, height]);
  return (
    <>
      <div class="live-frame" ref={frame} style={{ minHeight: `${height}px` }}>
        {drawn !== null && (
          <svg
            width={width}
            height={height}
            viewBox={`${-LEFT} 0 ${width} ${height}`}
            role="img"
            aria-label={`Space-time diagram of ${ids.length} processes and their last ${events.length} events`}
            dangerouslySetInnerHTML={{ __html: drawn.strip }}
          />
        )}
      </div>
      {least < timeline.end && (
        <label class="live-scrubber">
          <span class="caption">{chosen.value === null ? 'newest' : 'looking back'}</span>
          <input
            type="range"
            class="scrubber"
            min={least}
            max={timeline.end}
            step="any"
            value={until}
            aria-label="Part of the diagram, from the oldest to the newest"
            onInput={({ currentTarget }) => {
              const value = currentTarget.valueAsNumber;
              chosen.value = value >= timeline.end - 0.5 ? null : value;
            }}
          />
        </label>
      )}
      {drawn !== null && (
        <svg
          class="live-legend"
          width={width}
          height={drawn.legendHeight}
          viewBox={`${-LEFT} 0 ${width} ${drawn.legendHeight}`}
          role="img"
          aria-label="Key of the diagram"
          dangerouslySetInnerHTML={{ __html: drawn.legend }}
        />
      )}
      <Caption run={run} />
      <StepTable run={run} />
    </>
  );
}

/** A process that is gone may have crashed, or have ended in order. */
function liveItem({ sample, text }: LegendItem): LegendItem {
  const kind = sample.type === 'mark' ? sample.kind : null;
  return { sample, text: kind === 'crash' ? 'is gone' : kind === 'recover' ? 'starts again' : text };
}

function partsText(parts: readonly string[], texts: readonly SceneText[]): string {
  return [...parts, ...texts.map((text) => textPart(text, PAGE_PALETTE))].join('');
}

/** The end of the earliest window that is full. */
function earliestEnd({ timeline }: LiveRun, room: number): number {
  if (windowBefore(timeline, timeline.end, room, SCALE).from <= 0) return timeline.end;
  let [low, high] = [0, timeline.end];
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (windowBefore(timeline, middle, room, SCALE).from <= 0) low = middle;
    else high = middle;
  }
  return high;
}

function Caption({ run: { dropped, events, timeline } }: { readonly run: LiveRun }) {
  const messages = timeline.transfers.length;
  const isFolded = events.some(({ entry }) => entry.type === 'upkeep');
  return (
    <p class="caption">
      {`The last ${events.length} events, in causal order, with ${messages} ${messages === 1 ? 'message' : 'messages'}.`}
      {isFolded && ' Earlier upkeep is folded into grey bands, with the number of its messages.'}
      {dropped > 0 && ` ${dropped} lines were left out: the members are faster than their readers.`}
    </p>
  );
}

function StepTable({ run: { events } }: { readonly run: LiveRun }) {
  const isOpen = useSignal(false);
  const rows = isOpen.value ? events.toReversed() : [];
  return (
    <TextAlternative
      id="live-steps"
      caption="The latest events, the newest first"
      columns={['time', 'member', 'what happens']}
      onToggle={(open) => {
        isOpen.value = open;
      }}
      rows={rows.map((event) => [
        timeText(event.at),
        event.entry.type === 'upkeep' ? 'all' : event.id,
        liveText(event),
      ])}
    />
  );
}

/** 14:03:19.120 */
function timeText(at: number): string {
  const date = new Date(at);
  return `${date.toLocaleTimeString([], { hour12: false })}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
