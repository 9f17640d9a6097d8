/** A picture as one SVG document. */
import { SANS } from './style.ts';
import { element, escapeText } from './svg.ts';

export interface DocumentOptions {
  /** The size of the scene, in its own units. */
  readonly scene: { readonly width: number; readonly height: number };
  /** On the page; that of the scene if absent. */
  readonly size?: { readonly width: number; readonly height: number };
  /** For screen readers. */
  readonly title: string;
  /** Null without a background. */
  readonly background: string | null;
  readonly parts: readonly string[];
}

export function svgDocument({ scene, size = scene, title, background, parts }: DocumentOptions): string {
  const content = [
    element('title', {}, escapeText(title)),
    ...(background === null ? [] : [element('rect', { width: '100%', height: '100%', fill: background })]),
    ...parts,
  ];
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${Math.ceil(scene.width)} ${Math.ceil(scene.height)}`,
    width: Math.ceil(size.width),
    height: Math.ceil(size.height),
    'font-family': SANS,
    'font-variant-numeric': 'tabular-nums',
    role: 'img',
  };
  return `${element('svg', attributes, `\n${content.join('\n')}\n`)}\n`;
}
