/**
 * A run as an animated SVG: one file, played by any browser, without a script. Nodes, links and labels change at the moments
 * of the run; messages travel. With reduced motion, the end of the run stands still.
 *
 * Everything that changes is drawn once for each interval in which it looks the same, and CSS shows it in that interval.
 */
import { InputError } from '../../kernel/errors.ts';
import { isStep, type TraceEvent } from '../../kernel/trace.ts';
import { DEFAULT_STYLE, PALETTES, type Palette, type PictureStyle, SHEET_SIZES } from '../style.ts';
import { element, escapeText, short } from '../svg.ts';
import { svgDocument } from '../svg-document.ts';
import type { Box } from '../text-box.ts';
import { type Flight, flightsOf } from '../trace/flights.ts';
import { causedNothing, type HandlerRun, handlerRuns } from '../trace/handlers.ts';
import { frameIndexes, framesAt, type NetworkFrame } from './frames.ts';
import { alongPolyline, lengthOf, type Polyline } from './geometry.ts';
import { layoutNetwork } from './layout/layout.ts';
import { labelOfMessage, type MessageLabel } from './message-labels.ts';
import {
  captionOf,
  drawingTitles,
  labelsOf,
  type NetworkDrawingOptions,
  panelOptions,
} from './network-drawing.ts';
import { legendItems, placeLegend } from './network-legend.ts';
import { panelOf } from './panel.ts';
import { radiusOf, routeScale } from './panel-scale.ts';
import { pillAround } from './pill.ts';
import { renderEnd, renderHead, renderPill } from './render-message.ts';
import { renderEntry, renderFragments, renderLink, renderText } from './render-network.ts';
import { renderNode } from './render-node.ts';

const MAX_INSTANTS = 400;
const MAX_MESSAGES = 1000;
/** On a label. */
const MAX_FIELDS = 2;

/** Seconds: of a unit of time, of the shortest and longest pause between two events, at the start and at the end. */
const UNIT = 0.9;
const SHORTEST = 0.12;
const LONGEST = 1.3;
const BEFORE = 0.8;
const AFTER = 2.5;
/** How long a swallowed or lost message stays. */
const FADE = 0.5;

/** The run as an animated SVG. */
export function networkAnimation(
  options: NetworkDrawingOptions,
  style: PictureStyle = DEFAULT_STYLE,
): string {
  return new Animation(options, style).document();
}

/** The ends of all instants; refuses a run that is too long. */
function instantsOf(events: readonly TraceEvent[]): number[] {
  const ends = frameIndexes(events, Number.MAX_SAFE_INTEGER);
  if (ends.length > MAX_INSTANTS) {
    throw new InputError(
      `an animation holds at most ${MAX_INSTANTS} moments, not ${ends.length}: take fewer nodes or end the run earlier`,
    );
  }
  return ends;
}

class Animation {
  private readonly css: string[] = [];
  private readonly names = new Map<string, string>();
  private readonly palette: Palette;
  private readonly ends: readonly number[];
  private readonly frames: readonly NetworkFrame[];
  private readonly flights: readonly Flight[];
  /** The second at which each instant is shown. */
  private readonly starts: readonly number[];
  private readonly seconds: number;
  private readonly runs: ReadonlyMap<number, HandlerRun>;
  private readonly labels: ReadonlyMap<string, MessageLabel>;

  constructor(
    private readonly options: NetworkDrawingOptions,
    private readonly style: PictureStyle,
  ) {
    const { events, topology } = options;
    this.palette = PALETTES[style.theme];
    this.ends = instantsOf(events);
    this.frames = framesAt(options, this.ends);
    this.flights = flightsOf(events, topology);
    this.runs = handlerRuns(events);
    if (this.flights.length > MAX_MESSAGES) {
      throw new InputError(
        `an animation holds at most ${MAX_MESSAGES} messages: take fewer nodes or initiators`,
      );
    }
    const starts = [BEFORE];
    for (let k = 1; k < this.frames.length; k++) {
      const gap = this.frames[k].time - this.frames[k - 1].time;
      starts.push(starts[k - 1] + Math.max(SHORTEST, Math.min(LONGEST, gap * UNIT)));
    }
    this.starts = starts;
    this.seconds = (starts.at(-1) ?? 0) + AFTER;
    this.labels = labelsOf(options, MAX_FIELDS);
  }

  document(): string {
    const { frames, labels, options, palette, style } = this;
    const layout = layoutNetwork(options.topology);
    const { width, height, text } = SHEET_SIZES[style.size];
    const margin = 2 * text;
    const items = legendItems(frames, labels, layout);
    const side = { x: margin, width: width - 2 * margin };
    const legendHeight = placeLegend(items, { ...side, y: 0 }, text).height;
    const legend = placeLegend(items, { ...side, y: height - legendHeight }, text);
    const box = { ...side, y: 5.2 * text, height: height - legendHeight - 6.6 * text };
    const steps = options.events.filter(isStep).length;
    const base = panelOptions(options, layout, labels, frames);
    const panels = frames.map((frame) =>
      panelOf({ ...frame, messages: [] }, { ...base, caption: captionOf(frame, steps) }, box, text),
    );
    const busy = frames.map((frame) => panelOf(frame, { ...base, caption: '' }, box, text).links);
    const toSheet = routeScale(frames, layout, box, text);
    const radius = panels[0]?.nodes[0]?.radius ?? radiusOf([], layout, [], text);
    const route = (flight: Flight): Polyline => {
      const sending = options.events[flight.sending];
      const port = sending.type === 'send' ? sending.port : 0;
      return layout.route(flight.from, port).map(toSheet);
    };
    const layers = [
      ...this.slots(panels.map((panel) => renderFragments(panel, palette).join(''))),
      ...(busy[0] ?? []).flatMap((_, k) =>
        this.slots(busy.map((links) => renderLink(links[k], text, palette).join(''))),
      ),
      ...(panels[0]?.junctions ?? []).map(({ x, y }) =>
        element('circle', { cx: x, cy: y, r: 0.2 * text, fill: palette.edge }),
      ),
      ...(panels[0]?.nodes ?? []).flatMap((_, at) =>
        this.slots(panels.map(({ nodes }) => renderNode(nodes[at], palette).join(''))),
      ),
      ...this.slots(panels.map(({ texts }) => texts.map((each) => renderText(each, palette)).join(''))),
      ...this.flights.flatMap((flight, k) => this.message(flight, k, route(flight), radius, text)),
      ...legend.entries.map((entry) => renderEntry(entry, text, palette)),
      ...[...drawingTitles(options, 'ids only', width, margin, text), ...legend.texts].map((each) =>
        renderText(each, palette),
      ),
    ];
    const rules = [
      '.m{visibility:hidden}',
      ...this.css,
      // The presentation attributes show the end of the run.
      '@media (prefers-reduced-motion:reduce){*{animation:none!important}}',
    ];
    const sheet = element('style', {}, escapeText(rules.join('\n')));
    return svgDocument({
      scene: { width, height },
      title: `${options.title}: ${options.subtitle}`,
      background: style.transparent ? null : palette.paper,
      parts: [sheet, ...layers],
    });
  }

  /** What looks the same in consecutive instants is drawn once. */
  private slots(drawn: readonly string[]): string[] {
    const intervals = new Map<string, [number, number][]>();
    drawn.forEach((content, k) => {
      const list = intervals.get(content) ?? [];
      const last = list.at(-1);
      if (last !== undefined && last[1] === k) last[1] = k + 1;
      else list.push([k, k + 1]);
      intervals.set(content, list);
    });
    return [...intervals].flatMap(([content, list]) => {
      if (content === '') return [];
      if (list.length === 1 && list[0][0] === 0 && list[0][1] === drawn.length) return [content];
      const isLast = list.at(-1)?.[1] === drawn.length;
      return [
        element('g', { class: this.shownIn(list), visibility: isLast ? undefined : 'hidden' }, content),
      ];
    });
  }

  /** The class of what is visible in these instants. */
  private shownIn(intervals: readonly [number, number][]): string {
    const key = intervals.join(';');
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = `s${this.names.size}`;
    this.names.set(key, name);
    // The first instant is shown from the beginning.
    const from = (k: number) => (k === 0 ? 0 : this.percent(this.starts[k]));
    const until = (k: number) => (k === this.starts.length ? 100 : this.percent(this.starts[k]));
    const [first] = intervals[0];
    const steps = first === 0 ? [] : ['0%{visibility:hidden}'];
    for (const [a, b] of intervals)
      steps.push(
        `${from(a)}%{visibility:visible}`,
        `${until(b)}%{visibility:${b === this.starts.length ? 'visible' : 'hidden'}}`,
      );
    this.css.push(
      `@keyframes ${name}{${steps.join('')}}`,
      `.${name}{animation:${name} ${short(this.seconds)}s step-end infinite}`,
    );
    return name;
  }

  private message(flight: Flight, k: number, route: Polyline, radius: number, text: number): string[] {
    const label = this.labels.get(flight.message.type);
    if (label === undefined) return [];
    const { palette } = this;
    const length = lengthOf(route);
    const value = labelOfMessage(flight.message, label);
    const box = pillAround(value, 0.8 * text, { x: 0, y: 0 });
    const clear = Math.min(length / 2, radius + 0.55 * box.width);
    const [start, full] = [clear, length - clear];
    const isLost = flight.ending !== null && flight.fate !== 'delivered';
    const goal = start + (full - start) * (isLost ? 0.6 : 1);
    const sent = this.secondOf(flight.sending);
    const ended = flight.ending === null ? this.seconds - 0.3 : this.secondOf(flight.ending);
    const run = flight.ending === null ? undefined : this.runs.get(flight.ending);
    const isSwallowed = run !== undefined && causedNothing(run);
    const parts = 1 + Math.min(16, Math.max(1, route.length - 1));
    const places = Array.from({ length: parts }, (_, step) => {
      const share = step / (parts - 1);
      const { at } = alongPolyline(route, start + (goal - start) * share);
      return `${this.percent(sent + (ended - sent) * share)}%{visibility:visible;transform:translate(${short(at.x)}px,${short(at.y)}px);opacity:1}`;
    });
    const last = alongPolyline(route, goal).at;
    const stays = isSwallowed || isLost ? FADE : 0;
    const hidden = (second: number, side: number) =>
      `${Math.max(0, Math.min(100, Number((this.percent(second) + side).toFixed(3))))}%{visibility:hidden}`;
    const fading =
      stays > 0
        ? [
            `${this.percent(ended + stays)}%{visibility:visible;transform:translate(${short(last.x)}px,${short(last.y)}px);opacity:0}`,
          ]
        : [];
    const steps = [
      '0%{visibility:hidden}',
      hidden(sent, -0.005),
      ...places,
      ...fading,
      hidden(ended + stays, 0.005),
      '100%{visibility:hidden}',
    ];
    this.css.push(
      `@keyframes m${k}{${steps.join('')}}`,
      `.m${k}{animation:m${k} ${short(this.seconds)}s linear infinite}`,
    );
    const { angle } = alongPolyline(route, goal);
    // On an arc the direction changes, so there is no head.
    const head = route.length === 2 ? renderHead(box, angle, label.purpose, palette) : '';
    const end = isLost ? 'lost' : isSwallowed ? 'swallowed' : null;
    const content = [
      ...renderPill(box, label.purpose, value, palette),
      end === null ? head : this.end(k, end, ended, box, angle),
    ];
    return [element('g', { class: `m m${k}` }, content.join(''))];
  }

  /** The bar or the cross that appears where a message ends. */
  private end(k: number, state: 'swallowed' | 'lost', ended: number, box: Box, angle: number): string {
    const name = `f${k}`;
    this.css.push(
      `@keyframes ${name}{0%{opacity:0}${this.percent(ended)}%{opacity:1}}`,
      `.${name}{animation:${name} ${short(this.seconds)}s step-end infinite}`,
    );
    return element('g', { class: name }, renderEnd(box, angle, state, this.palette));
  }

  private secondOf(event: number): number {
    return this.starts[this.ends.findIndex((end) => end >= event)] ?? this.seconds;
  }

  private percent(second: number): number {
    return Number(Math.min(100, (100 * second) / this.seconds).toFixed(3));
  }
}
