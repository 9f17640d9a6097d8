/** The marks of messages: a pill with the value, a head if it travels, a bar or a cross where it ended. */
import { writeText } from '../placed-text.ts';
import type { Palette } from '../style.ts';
import { crossAround, element, pathOf, triangleAt } from '../svg.ts';
import type { Box } from '../text-box.ts';
import type { MessagePurpose } from '../trace/purpose.ts';
import type { SceneMessage } from './network-scene.ts';
import { edgeOf, labelSize } from './pill.ts';

/** What has ended is under what flies, and tails and heads are under all pills: no value of a message in flight is hidden. */
export function renderMessages(messages: readonly SceneMessage[], palette: Palette): string[] {
  const pillOf = ({ box, purpose, state, text }: SceneMessage) =>
    text === '' ? [] : renderPill(box, purpose, text, palette, state === 'flying' ? 1 : 0.55);
  const flying = messages.filter(({ state }) => state === 'flying');
  return [
    ...messages.flatMap((message) => renderWay(message, palette)),
    ...messages.flatMap((message) => {
      const { angle, box, state } = message;
      return state === 'flying' ? [] : [...pillOf(message), renderEnd(box, angle, state, palette)];
    }),
    ...flying.flatMap(pillOf),
  ];
}

function toneOf(purpose: MessagePurpose, palette: Palette): string {
  return purpose === 'election' ? palette.ink : purpose === 'announcement' ? palette.rust : palette.ink3;
}

/** The tail of a message, and its head unless it has ended. */
function renderWay({ angle, box, purpose, state, tail, text }: SceneMessage, palette: Palette): string[] {
  const stroke = toneOf(purpose, palette);
  const line = (attributes: Record<string, string | number>) =>
    tail.length < 2 ? [] : [element('path', { d: pathOf(tail, false), fill: 'none', stroke, ...attributes })];
  if (state === 'swallowed') return [];
  if (state === 'lost') return line({ 'stroke-width': 1.4, 'stroke-dasharray': '2 3' });
  const dash = purpose === 'election' ? {} : { 'stroke-dasharray': purpose === 'upkeep' ? '1.5 3' : '5 3' };
  if (text !== '')
    return [...line({ 'stroke-width': 2.2, ...dash }), renderHead(box, angle, purpose, palette)];
  const head = triangleAt(edgeOf(box, angle), angle, 0.8 * box.height);
  return [...line({ 'stroke-width': 1.6, ...dash }), element('path', { d: head, fill: stroke })];
}

/** The head ahead of a pill. */
export function renderHead(box: Box, angle: number, purpose: MessagePurpose, palette: Palette): string {
  const tip = edgeOf(box, angle, 0.42 * box.height);
  return element('path', { d: triangleAt(tip, angle, 0.4 * box.height), fill: toneOf(purpose, palette) });
}

/** The bar before the node that swallowed a message, or the cross where it was lost. */
export function renderEnd(
  box: Box,
  angle: number,
  state: Exclude<SceneMessage['state'], 'flying'>,
  palette: Palette,
): string {
  const tip = edgeOf(box, angle);
  if (state === 'lost') {
    const cross = { fill: 'none', stroke: palette.crimson, 'stroke-width': 2.6, 'stroke-linecap': 'round' };
    return element('path', { d: crossAround(tip, Math.max(4, 0.28 * box.height)), ...cross });
  }
  const half = Math.max(7, 0.55 * box.height);
  const [dx, dy] = [Math.sin(angle) * half, -Math.cos(angle) * half];
  const bar = [
    { x: tip.x + dx, y: tip.y + dy },
    { x: tip.x - dx, y: tip.y - dy },
  ];
  return element('path', { d: pathOf(bar, false), stroke: palette.ink, 'stroke-width': 2.6 });
}

export function renderPill(
  box: Box,
  purpose: MessagePurpose,
  text: string,
  palette: Palette,
  opacity = 1,
): string[] {
  const { x, y, width, height } = box;
  const tone = toneOf(purpose, palette);
  const isFilled = purpose === 'election';
  const label = {
    ...{ text, x: x + width / 2, y: y + height / 2, size: labelSize(box) },
    ...({ anchor: 'middle', isBold: true } as const),
  };
  return [
    element('rect', {
      ...{ x, y, width, height, rx: purpose === 'announcement' ? 2 : height / 2 },
      ...{ fill: isFilled ? tone : palette.paper, stroke: tone, 'stroke-width': 1.5 },
      opacity: opacity === 1 ? undefined : opacity,
    }),
    writeText(label, { fill: isFilled ? palette.paper : tone }),
  ];
}
