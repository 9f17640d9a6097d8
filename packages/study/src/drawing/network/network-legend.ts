/** The legend of a picture of a network: what occurs in its frames, and nothing else. */
import { placeText } from '../placed-text.ts';
import { type Box, textWidth } from '../text-box.ts';
import { commonNoun } from '../trace/numbered-name.ts';
import type { NetworkFrame } from './frames.ts';
import type { NetworkLayout } from './layout/network-layout.ts';
import { labelOfMessage, legendOfMessage, type MessageLabel } from './message-labels.ts';
import type { NetworkLegendEntry, NetworkSample, NetworkText, ScenePanel } from './network-scene.ts';

interface LegendItem {
  readonly sample: NetworkSample | null;
  readonly text: string;
}

const ROLE_TEXTS = {
  candidate: 'candidate',
  awake: 'takes part, not a candidate',
  passive: 'passive',
  asleep: 'asleep',
  leader: 'leader',
  follower: 'knows the leader',
} as const;

export function legendItems(
  frames: readonly NetworkFrame[],
  labels: ReadonlyMap<string, MessageLabel>,
  layout: NetworkLayout,
): LegendItem[] {
  const items: LegendItem[] = [];
  const nodes = frames.flatMap((frame) => frame.nodes);
  for (const role of Object.keys(ROLE_TEXTS) as (keyof typeof ROLE_TEXTS)[]) {
    const isShown = nodes.some((node) => node.role === role && !node.isDead);
    if (isShown) items.push({ sample: { type: 'node', role, isDead: false }, text: ROLE_TEXTS[role] });
  }
  if (nodes.some(({ isDead }) => isDead)) {
    items.push({ sample: { type: 'node', role: 'asleep', isDead: true }, text: 'crashed' });
  }
  const fragments = nodes.flatMap(({ fragment }) => (fragment === null ? [] : [fragment]));
  if (fragments.length > 0) {
    items.push({ sample: { type: 'fragment' }, text: commonNoun(fragments) ?? 'fragment' });
  }
  const messages = frames.flatMap((frame) => frame.messages);
  for (const label of labels.values()) {
    const shown = messages.find(({ message }) => message.type === label.type);
    if (shown === undefined) continue;
    items.push({
      sample: { type: 'message', purpose: label.purpose, text: labelOfMessage(shown.message, label) },
      text: legendOfMessage(label),
    });
  }
  if (messages.some(({ state }) => state === 'swallowed')) {
    items.push({ sample: { type: 'swallowed' }, text: 'swallowed: nothing follows' });
  }
  if (messages.some(({ state }) => state === 'lost')) items.push({ sample: { type: 'lost' }, text: 'lost' });
  const isPartly = frames.some(
    ({ used }) =>
      used.size > 0 && layout.links.some(({ a, b }) => !used.has(`${a}>${b}`) && !used.has(`${b}>${a}`)),
  );
  if (nodes.some(({ tree }) => tree.length > 0))
    items.push({ sample: { type: 'tree' }, text: 'link of the tree' });
  if (isPartly) items.push({ sample: { type: 'used' }, text: 'link used so far' });
  return items;
}

export function notesOf(panels: readonly ScenePanel[]): LegendItem[] {
  const omitted = panels.reduce((sum, panel) => sum + panel.omitted, 0);
  if (omitted === 0) return [];
  return [{ sample: null, text: `${omitted} ${omitted === 1 ? 'label' : 'labels'} without room omitted` }];
}

interface PlacedLegend {
  readonly entries: readonly NetworkLegendEntry[];
  readonly texts: readonly NetworkText[];
  readonly height: number;
}

function sampleWidth(sample: NetworkSample | null, text: number): number {
  if (sample === null) return 0;
  const least = (sample.type === 'node' ? 1.4 : 2.2) * text;
  return sample.type === 'message' ? Math.max(least, textWidth(sample.text, 0.8 * text) + 0.9 * text) : least;
}

/** Lines of entries between two margins. */
export function placeLegend(
  items: readonly LegendItem[],
  { x: left, y: top, width }: Pick<Box, 'x' | 'y' | 'width'>,
  text: number,
): PlacedLegend {
  const size = 0.85 * text;
  const entries: NetworkLegendEntry[] = [];
  const texts: NetworkText[] = [];
  let [x, y] = [left, top];
  for (const { sample, text: said } of items) {
    const room = sampleWidth(sample, text);
    const needed = room + 0.5 * text + textWidth(said, size);
    if (x > left && x + needed > left + width) [x, y] = [left, y + 1.7 * text];
    if (sample !== null)
      entries.push({ sample, at: { x, y: y - 0.7 * text, width: room, height: 1.4 * text } });
    texts.push(placeText({ text: said, role: 'legend', x: x + room + 0.4 * text, y, size }));
    x += needed + 1.3 * text;
  }
  return { entries, texts, height: y - top + 1.7 * text };
}
