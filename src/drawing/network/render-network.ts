/** Writes a picture of a network as SVG. Everything that is drawn has its coordinates in the scene. */
import { PALETTES, type Palette, type PictureStyle, SANS, SERIF } from '../style.ts';
import { crossAround, element, escapeText, type Point, pathOf } from '../svg.ts';
import { alongPolyline, lengthOf, type Polyline } from './geometry.ts';
import type {
  MessagePurpose,
  NetworkLegendEntry,
  NetworkScene,
  NetworkText,
  SceneFragment,
  SceneLink,
  SceneMessage,
  ScenePanel,
} from './network-scene.ts';
import { renderNode } from './render-node.ts';

export function renderNetwork(scene: NetworkScene, title: string, style: PictureStyle): string {
  const palette = PALETTES[style.theme];
  const parts = [
    ...scene.panels.flatMap((panel) => renderPanel(panel, palette)),
    ...scene.legend.map((entry) => renderEntry(entry, scene.text, palette)),
    ...scene.texts.map((text) => renderText(text, palette)),
  ];
  return svgDocument(scene, title, style, parts);
}

export function svgDocument(
  { width, height }: Pick<NetworkScene, 'width' | 'height'>,
  title: string,
  style: PictureStyle,
  parts: readonly string[],
): string {
  const palette = PALETTES[style.theme];
  const paper = element('rect', { width: '100%', height: '100%', fill: palette.paper });
  const content = [element('title', {}, escapeText(title)), ...(style.transparent ? [] : [paper]), ...parts];
  const attributes = {
    ...{ xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height },
    ...{ 'font-family': SANS, role: 'img' },
  };
  return `${element('svg', attributes, `\n${content.join('\n')}\n`)}\n`;
}

export function renderPanel(panel: ScenePanel, palette: Palette): string[] {
  return [
    ...renderFragments(panel, palette),
    ...panel.links.flatMap((link) => renderLink(link, panel.text, palette)),
    ...panel.junctions.map(({ x, y }) =>
      element('circle', { cx: x, cy: y, r: 0.2 * panel.text, fill: palette.edge }),
    ),
    ...panel.nodes.flatMap((node) => renderNode(node, palette)),
    ...renderMessages(panel, palette),
    ...panel.texts.map((text) => renderText(text, palette, panel)),
  ];
}

export function renderFragments({ fragments }: ScenePanel, palette: Palette): string[] {
  return fragments.flatMap((fragment) => renderFragment(fragment, palette));
}

/** A wide line under a slightly narrower one: what is left is an outline of nodes and links together. */
function renderFragment({ points, lines, radius }: SceneFragment, palette: Palette): string[] {
  const layers: [number, string][] = [
    [0, palette.ink3],
    [1.5, palette.sunk],
  ];
  return layers.flatMap(([inset, colour]) => [
    ...lines.map((line) =>
      element('path', {
        ...{ d: pathOf(line, false), fill: 'none', stroke: colour },
        ...{ 'stroke-width': 0.9 * radius - 2 * inset, 'stroke-linecap': 'round' },
      }),
    ),
    ...points.map(({ x, y }) => element('circle', { cx: x, cy: y, r: radius - inset, fill: colour })),
  ]);
}

export function renderLink(
  { line, state, isTree, isOneWay }: SceneLink,
  text: number,
  palette: Palette,
): string[] {
  if (line.length === 0) return [];
  const stroke = isTree || state === 'busy' ? palette.ink2 : state === 'used' ? palette.edge : palette.line2;
  const drawn = element('path', {
    ...{ d: pathOf(line, false), fill: 'none', stroke },
    'stroke-width': isTree ? 3.2 : state === 'busy' ? 1.8 : state === 'used' ? 1.4 : 1,
  });
  return isOneWay ? [drawn, headAt(line, 0.42 * text, stroke)] : [drawn];
}

function headAt(line: Polyline, size: number, fill: string): string {
  const { at, angle } = alongPolyline(line, lengthOf(line));
  return element('path', { d: triangle(at, angle, size), fill });
}

/** A triangle whose tip is at the point. */
export function triangle({ x, y }: Point, angle: number, size: number): string {
  const corner = (turn: number, reach: number) => ({
    x: x + reach * Math.cos(angle + turn),
    y: y + reach * Math.sin(angle + turn),
  });
  return pathOf([{ x, y }, corner(Math.PI - 0.42, size * 1.35), corner(Math.PI + 0.42, size * 1.35)], true);
}

export function toneOf(purpose: MessagePurpose, palette: Palette): string {
  return purpose === 'election' ? palette.ink : purpose === 'announcement' ? palette.rust : palette.ink3;
}

/** Tails and heads are under all pills, so that none hides a value. */
function renderMessages({ messages }: ScenePanel, palette: Palette): string[] {
  return [
    ...messages.flatMap((message) => renderWay(message, palette)),
    ...messages.flatMap(({ box, purpose, state, text }) =>
      text === '' ? [] : renderPill(box, purpose, text, palette, state === 'flying' ? 1 : 0.55),
    ),
    ...messages.flatMap((message) => renderEnd(message, palette)),
  ];
}

/** The tail of a message, and its head unless it has ended. */
function renderWay(message: SceneMessage, palette: Palette): string[] {
  const { at, angle, box, state, purpose, tail } = message;
  const tone = toneOf(purpose, palette);
  const line = (attributes: Record<string, string | number>) =>
    tail.length < 2
      ? []
      : [element('path', { d: pathOf(tail, false), fill: 'none', stroke: tone, ...attributes })];
  if (state === 'swallowed') return [];
  if (state === 'lost') return line({ 'stroke-width': 1.4, 'stroke-dasharray': '2 3' });
  const isSmall = message.text === '';
  const size = (isSmall ? 0.8 : 0.4) * box.height;
  const ahead = reachOf(box, angle) + (isSmall ? 0 : 0.42 * box.height);
  const tip = { x: at.x + ahead * Math.cos(angle), y: at.y + ahead * Math.sin(angle) };
  const dash = purpose === 'election' ? {} : { 'stroke-dasharray': purpose === 'upkeep' ? '1.5 3' : '5 3' };
  return [
    ...line({ 'stroke-width': isSmall ? 1.6 : 2.2, ...dash }),
    element('path', { d: triangle(tip, angle, size), fill: tone }),
  ];
}

/** The bar before the node that swallowed a message, or the cross where it was lost. */
function renderEnd({ at, angle, box, state }: SceneMessage, palette: Palette): string[] {
  if (state === 'flying') return [];
  const reach = reachOf(box, angle);
  const tip = { x: at.x + reach * Math.cos(angle), y: at.y + reach * Math.sin(angle) };
  if (state === 'lost') {
    const cross = { fill: 'none', stroke: palette.crimson, 'stroke-width': 2.6, 'stroke-linecap': 'round' };
    return [element('path', { d: crossAround(tip, Math.max(4, 0.28 * box.height)), ...cross })];
  }
  const half = Math.max(7, 0.55 * box.height);
  const [dx, dy] = [Math.sin(angle) * half, -Math.cos(angle) * half];
  const bar = [
    { x: tip.x + dx, y: tip.y + dy },
    { x: tip.x - dx, y: tip.y - dy },
  ];
  return [element('path', { d: pathOf(bar, false), stroke: palette.ink, 'stroke-width': 2.6 })];
}

/** From the middle of a pill to its edge in a direction. */
function reachOf({ width, height }: { width: number; height: number }, angle: number): number {
  const [dx, dy] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  return Math.min(
    dx < 1e-9 ? Number.POSITIVE_INFINITY : width / 2 / dx,
    dy < 1e-9 ? Number.POSITIVE_INFINITY : height / 2 / dy,
  );
}

export function renderPill(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  purpose: MessagePurpose,
  text: string,
  palette: Palette,
  opacity: number,
): string[] {
  const tone = toneOf(purpose, palette);
  const isFilled = purpose === 'election';
  const size = height / 1.45;
  return [
    element('rect', {
      ...{ x, y, width, height, rx: purpose === 'announcement' ? 2 : height / 2 },
      ...{ fill: isFilled ? tone : palette.paper, stroke: tone, 'stroke-width': 1.5 },
      opacity: opacity === 1 ? undefined : opacity,
    }),
    element(
      'text',
      {
        ...{ x: x + width / 2, y: y + height / 2 + 0.35 * size, 'font-size': size, 'text-anchor': 'middle' },
        ...{ 'font-weight': 'bold', fill: isFilled ? palette.paper : tone },
      },
      escapeText(text),
    ),
  ];
}

export function renderEntry({ sample, at }: NetworkLegendEntry, text: number, palette: Palette): string {
  const middle = { x: at.x + at.width / 2, y: at.y + at.height / 2 };
  switch (sample.type) {
    case 'node': {
      const node = { position: 0, at: middle, radius: 0.52 * text, role: sample.role, isDead: sample.isDead };
      return renderNode(node, palette).join('');
    }
    case 'message': {
      const box = { x: at.x, y: middle.y - 0.58 * text, width: at.width, height: 1.16 * text };
      return renderPill(box, sample.purpose, sample.text, palette, 1).join('');
    }
    case 'fragment': {
      const points = [
        { x: at.x + 0.6 * text, y: middle.y },
        { x: at.x + at.width - 0.6 * text, y: middle.y },
      ];
      return renderFragment({ name: '', points, lines: [points], radius: 0.6 * text }, palette).join('');
    }
    case 'swallowed': {
      const x = at.x + 0.7 * at.width;
      const line = { stroke: palette.ink, 'stroke-width': 2.2 };
      return (
        element('path', {
          d: pathOf(
            [
              { x: at.x, y: middle.y },
              { x, y: middle.y },
            ],
            false,
          ),
          ...line,
        }) +
        element('path', {
          d: pathOf(
            [
              { x, y: middle.y - 6 },
              { x, y: middle.y + 6 },
            ],
            false,
          ),
          ...line,
        })
      );
    }
    case 'lost':
      return element('path', {
        d: crossAround(middle, 0.32 * text),
        ...{ fill: 'none', stroke: palette.crimson, 'stroke-width': 2.6, 'stroke-linecap': 'round' },
      });
    default:
      return element('path', {
        d: pathOf(
          [
            { x: at.x, y: middle.y },
            { x: at.x + at.width, y: middle.y },
          ],
          false,
        ),
        ...{
          stroke: sample.type === 'tree' ? palette.ink2 : palette.edge,
          'stroke-width': sample.type === 'tree' ? 3.2 : 1.4,
        },
      });
  }
}

export function renderText(text: NetworkText, palette: Palette, panel?: ScenePanel): string {
  const isOnLine = text.role === 'weight';
  return element(
    'text',
    {
      x: text.x,
      // Digits and small letters look centred when their base line is a third of the size below the middle.
      y: text.y + text.size * 0.35,
      'font-family': text.role === 'title' ? SERIF : undefined,
      'font-size': text.size,
      'text-anchor': text.anchor === 'start' ? undefined : text.anchor,
      'font-weight': text.isBold ? 'bold' : undefined,
      'font-style': text.role === 'fragment' ? 'italic' : undefined,
      fill: fillOf(text, palette, panel),
      stroke: isOnLine ? palette.paper : undefined,
      'stroke-width': isOnLine ? 5 : undefined,
      'stroke-linejoin': isOnLine ? 'round' : undefined,
      'paint-order': isOnLine ? 'stroke' : undefined,
    },
    escapeText(text.text),
  );
}

function fillOf({ role, x, y }: NetworkText, palette: Palette, panel: ScenePanel | undefined): string {
  if (role === 'title') return palette.ink;
  if (role !== 'id') return role === 'note' || role === 'caption' ? palette.ink3 : palette.ink2;
  const node = panel?.nodes.find(({ at }) => at.x === x && at.y === y);
  if (node?.role === 'leader' && !node.isDead) return palette.paper;
  if (node?.isDead || node?.role === 'asleep') return palette.ink3;
  return node?.role === 'candidate' ? palette.ink : palette.ink2;
}
