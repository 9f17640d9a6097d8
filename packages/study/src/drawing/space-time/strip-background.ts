/** What lies behind the messages of a strip: bands, heads of rows, axis, lifelines. */

import { placeText } from '../placed-text.ts';
import { type Box, overlap, textWidth } from '../text-box.ts';
import { commonNoun } from '../trace/numbered-name.ts';
import type { StripFrame } from './layout.ts';
import type { SceneBand, SceneHead, SceneLine, SceneText } from './scene.ts';
import type { Timeline } from './timeline.ts';

/** Where times and nodes of a strip are. */
export interface Placement {
  readonly frame: StripFrame;
  readonly box: Box;
  readonly x: (time: number) => number;
  readonly y: (node: number) => number;
}

export function bandsOf(timeline: Timeline, placement: Placement, texts: SceneText[]): SceneBand[] {
  return [
    ...phaseBands(timeline, placement, texts),
    ...foldBands(placement),
    ...leaderBands(timeline, placement),
  ];
}

function foldBands({ box, frame: { from, scale, until }, x }: Placement): SceneBand[] {
  return scale.pieces.flatMap((piece): SceneBand[] => {
    if (piece.fold === null || piece.from < from || piece.until > until) return [];
    const [start, end] = [x(piece.from), x(piece.until)];
    const { fold: type, label } = piece;
    return [{ type, label, x: start, width: end - start, y: box.y, height: box.height }];
  });
}

function phaseBands(
  { hasPlainPhases, phases }: Timeline,
  { box, frame, x }: Placement,
  texts: SceneText[],
): SceneBand[] {
  const { from, left, right, text, until } = frame;
  const bands = phases.flatMap((phase, k) => {
    const next = phases[k + 1]?.from ?? Number.POSITIVE_INFINITY;
    if (next <= from || phase.from >= until) return [];
    const start = phase.from <= from ? left - 0.4 * text : x(phase.from);
    const type = k % 2 === 0 || hasPlainPhases ? ('phase' as const) : ('phase, odd' as const);
    return [{ name: phase.text, type, x: start, width: (next >= until ? right : x(next)) - start }];
  });
  texts.push(...bandTexts(bands, frame));
  return bands.map(({ name: _, ...band }) => ({ ...band, y: box.y, height: box.height }));
}

/** The name of every band; or, if one has no room for it, the noun of 'round 3' once, to the left, and numbers in the bands. */
function bandTexts(
  bands: readonly { readonly name: string; readonly x: number; readonly width: number }[],
  { left, phaseY: y, text }: StripFrame,
): SceneText[] {
  const shared = { role: 'band', y, size: 0.8 * text } as const;
  const fits = (name: string, width: number) => textWidth(name, shared.size) < width - 0.3 * text;
  const at = (name: string, x: number) => placeText({ ...shared, text: name, x: x + 0.2 * text });
  const noun = commonNoun(bands.map(({ name }) => name));
  if (noun === null || bands.every(({ name, width }) => fits(name, width))) {
    return bands.flatMap(({ name, width, x }) => (fits(name, width) ? [at(name, x)] : []));
  }
  const title = placeText({ ...shared, text: noun, x: left - 0.7 * text, anchor: 'end' });
  const numbers = bands.flatMap(({ name, width, x }) => {
    const number = name.slice(noun.length + 1);
    return fits(number, width) ? [at(number, x)] : [];
  });
  return [title, ...numbers];
}

function leaderBands({ leaderships }: Timeline, { frame, x, y }: Placement): SceneBand[] {
  const { from, pitch, right, text, until } = frame;
  const height = Math.min(1.5 * text, 0.8 * pitch);
  return leaderships.flatMap((lead): SceneBand[] => {
    if (lead.from > until || (lead.until <= from && from > 0)) return [];
    const start = x(Math.max(lead.from, from));
    const end = lead.until >= until ? right : x(lead.until);
    return [{ type: 'leader', x: start, y: y(lead.node) - height / 2, width: end - start, height }];
  });
}

export function headsOf(
  { leaderships, lifelines }: Timeline,
  { frame, y: yOf }: Placement,
  nameOf: (node: number) => string,
  texts: SceneText[],
): SceneHead[] {
  const { edge, left, pitch, rows, text, until } = frame;
  const radius = Math.min(0.95 * text, 0.43 * pitch);
  const size = Math.min(0.9 * text, 1.05 * radius);
  const x = (edge + left - 1.3 * text) / 2;
  return rows.map((node) => {
    const [name, y] = [nameOf(node), yOf(node)];
    const width = Math.max(2 * radius, textWidth(name, size, true) + 0.6 * text);
    const leads = leaderships.some((lead) => lead.node === node && lead.from <= until && lead.until >= until);
    const { state } = lifelines[node].findLast(({ from }) => from <= until) ?? lifelines[node][0];
    texts.push(
      placeText({
        text: name,
        role: 'name',
        x,
        y,
        size,
        anchor: 'middle',
        isBold: true,
        ...(leads ? { on: 'gold' as const } : {}),
      }),
    );
    return {
      node,
      state: leads ? 'leader' : state,
      x: x - width / 2,
      y: y - radius,
      width,
      height: 2 * radius,
    };
  });
}

/** Returns the places of the ticks. Labels that would overlap are left out. */
export function axisOf({ frame, x }: Placement, bands: readonly SceneBand[], texts: SceneText[]): number[] {
  const { axisY: y, from, scale, text, until } = frame;
  const shared = { role: 'axis', y, size: 0.8 * text, anchor: 'middle' } as const;
  const placed: SceneText[] = [];
  const add = (label: SceneText): void => {
    const { box } = label;
    const wide = { ...box, x: box.x - 0.2 * text, width: box.width + 0.4 * text };
    if (!placed.some((other) => overlap(wide, other.box))) placed.push(label);
  };
  for (const { label, type, width, x: start } of bands) {
    if (type !== 'idle' && type !== 'upkeep') continue;
    const fits = (name: string): boolean => textWidth(name, shared.size) < width;
    const name = [label ?? type, type].find(fits);
    if (name !== undefined) add(placeText({ ...shared, text: name, x: start + width / 2 }));
  }
  const ticks = scale.ticks(2.6 * text).filter((time) => time >= from && time <= until);
  for (const time of ticks) add(placeText({ ...shared, text: String(time), x: x(time) }));
  texts.push(...placed);
  return ticks.map(x);
}

export function linesOf({ lifelines }: Timeline, { frame, x, y }: Placement): SceneLine[] {
  const { from, left, right, rows, scale, text, until } = frame;
  return rows.flatMap((node) =>
    lifelines[node].flatMap((span) =>
      scale.pieces.flatMap((piece): SceneLine[] => {
        const start = Math.max(span.from, piece.from, from);
        const end = Math.min(span.until, piece.until, until);
        // A change at the very end still shows.
        if (end < start || (end === start && span.from < until)) return [];
        return [
          {
            ...{ node, state: span.state, y: y(node), isFolded: piece.fold !== null },
            from: start <= from ? left - text : x(start),
            until: end >= until ? right : x(end),
          },
        ];
      }),
    ),
  );
}
