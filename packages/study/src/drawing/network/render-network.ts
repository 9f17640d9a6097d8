/** Writes a picture of a network as SVG. Everything that is drawn has its coordinates in the scene. */
import { writeText } from '../placed-text.ts';
import { PALETTES, type Palette, type PictureStyle } from '../style.ts';
import { crossAround, element, pathOf, short, triangleAt } from '../svg.ts';
import { svgDocument } from '../svg-document.ts';
import { alongPolyline, lengthOf, type Polyline } from './geometry.ts';
import type {
  NetworkLegendEntry,
  NetworkScene,
  NetworkText,
  SceneFragment,
  SceneLink,
  SceneNode,
  ScenePanel,
} from './network-scene.ts';
import { renderMessages, renderPill } from './render-message.ts';
import { renderGlyph, renderNode } from './render-node.ts';

export function renderNetwork(scene: NetworkScene, title: string, style: PictureStyle): string {
  const palette = PALETTES[style.theme];
  const parts = [
    ...scene.panels.flatMap((panel) => renderPanel(panel, palette)),
    ...scene.legend.map((entry) => renderEntry(entry, scene.text, palette)),
    ...scene.texts.map((text) => renderText(text, palette)),
  ];
  return svgDocument({ scene, title, background: style.transparent ? null : palette.paper, parts });
}

export function renderPanel(panel: ScenePanel, palette: Palette): string[] {
  return panelParts(panel, palette).flat();
}

/** A panel in parts, from the lowest to the highest. All panels of one network have the same parts. */
export function panelParts(panel: ScenePanel, palette: Palette): string[][] {
  return changedParts(panel, null, palette).map(({ render }) => render());
}

/** A part of a panel: its place among the parts, and how it is written. */
export interface PanelPart {
  readonly at: number;
  render(): string[];
}

/** The parts of a panel that may look different from an earlier panel of the same network and size. */
export function changedParts(panel: ScenePanel, before: ScenePanel | null, palette: Palette): PanelPart[] {
  const { junctions, links, nodes } = panel;
  const changed: PanelPart[] = [];
  let at = 0;
  const add = (render: () => string[]): void => {
    changed.push({ at: at++, render });
  };
  add(() => renderFragments(panel, palette));
  links.forEach((link, k) => {
    if (before !== null && isSameLink(before.links[k], link)) at++;
    else add(() => renderLink(link, panel.text, palette));
  });
  const junctionRadius = 0.2 * panel.text;
  add(() =>
    junctions.map(({ x, y }) => element('circle', { cx: x, cy: y, r: junctionRadius, fill: palette.edge })),
  );
  nodes.forEach((node, k) => {
    if (before !== null && isSameNode(before.nodes[k], node)) at++;
    else add(() => renderNode(node, palette));
  });
  add(() => renderMessages(panel.messages, palette));
  add(() => panel.texts.map((text) => renderText(text, palette)));
  return changed;
}

function isSameLink(a: SceneLink, b: SceneLink): boolean {
  return a.state === b.state && a.isTree === b.isTree;
}

function isSameNode(a: SceneNode, b: SceneNode): boolean {
  return a.role === b.role && a.isDead === b.isDead;
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
  const stroke =
    isTree || state === 'busy' ? palette.ink2 : state === 'used' ? palette.usedLink : palette.idleLink;
  const drawn = element('path', {
    ...{ d: pathOf(line, false), fill: 'none', stroke },
    'stroke-width': isTree ? 3.2 : state === 'busy' ? 1.8 : state === 'used' ? 1.4 : 1,
  });
  return isOneWay ? [drawn, headAt(line, 0.42 * text, stroke)] : [drawn];
}

function headAt(line: Polyline, size: number, fill: string): string {
  const { at, angle } = alongPolyline(line, lengthOf(line));
  return element('path', { d: triangleAt(at, angle, size), fill });
}

export function renderEntry({ sample, at }: NetworkLegendEntry, text: number, palette: Palette): string {
  const middle = { x: at.x + at.width / 2, y: at.y + at.height / 2 };
  switch (sample.type) {
    case 'node': {
      const { role, isDead } = sample;
      return renderGlyph({ at: middle, radius: 0.52 * text, role, isDead }, palette).join('');
    }
    case 'message': {
      const box = { x: at.x, y: middle.y - 0.58 * text, width: at.width, height: 1.16 * text };
      return renderPill(box, sample.purpose, sample.text, palette).join('');
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
      const stroke = { stroke: palette.ink, 'stroke-width': 2.2 };
      const line = `M${short(at.x)} ${short(middle.y)}H${short(x)}`;
      const bar = `M${short(x)} ${short(middle.y - 6)}V${short(middle.y + 6)}`;
      return element('path', { d: line + bar, fill: 'none', ...stroke });
    }
    case 'lost':
      return element('path', {
        d: crossAround(middle, 0.32 * text),
        ...{ fill: 'none', stroke: palette.crimson, 'stroke-width': 2.6, 'stroke-linecap': 'round' },
      });
    default:
      return element('path', {
        d: `M${short(at.x)} ${short(middle.y)}H${short(at.x + at.width)}`,
        ...{
          stroke: sample.type === 'tree' ? palette.ink2 : palette.edge,
          'stroke-width': sample.type === 'tree' ? 3.2 : 1.4,
        },
      });
  }
}

export function renderText(text: NetworkText, palette: Palette): string {
  const { role } = text;
  const fill =
    role === 'title' ? palette.ink : role === 'note' || role === 'caption' ? palette.ink3 : palette.ink2;
  const halo = {
    stroke: palette.paper,
    'stroke-width': 5,
    'stroke-linejoin': 'round',
    'paint-order': 'stroke',
  };
  const attributes = {
    'font-style': role === 'fragment' ? 'italic' : undefined,
    fill,
    ...(role === 'weight' ? halo : {}),
  };
  return writeText(text, attributes, { isTitle: role === 'title' });
}
