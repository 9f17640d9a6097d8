/** The SVG elements of a diagram. All text and attributes are escaped here and nowhere else. */

export type Attributes = Readonly<Record<string, string | number | undefined>>;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export function escapeText(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => ` ${key}="${typeof value === 'number' ? short(value) : escapeText(String(value))}"`,
    );
  return content === ''
    ? `<${name}${written.join('')}/>`
    : `<${name}${written.join('')}>${content}</${name}>`;
}

/** Rounds to hundredths of a pixel. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A place in a picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export function pathOf(points: readonly Point[], isClosed: boolean): string {
  const steps = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${short(x)} ${short(y)}`);
  return steps.join('') + (isClosed ? 'Z' : '');
}

/** A path around a point. `corners` alternates x and y, in units of the radius. */
export function pathAround(at: Point, radius: number, corners: readonly number[], isClosed = true): string {
  const points = Array.from({ length: corners.length / 2 }, (_, k) => ({
    x: at.x + radius * corners[2 * k],
    y: at.y + radius * corners[2 * k + 1],
  }));
  return pathOf(points, isClosed);
}

/** A path and not a character, so that it looks the same in every font. */
export function starAround({ x, y }: Point, radius: number): string {
  const points = Array.from({ length: 10 }, (_, k) => {
    const reach = k % 2 === 0 ? radius : radius * 0.42;
    const angle = (Math.PI * k) / 5;
    return { x: x + reach * Math.sin(angle), y: y - reach * Math.cos(angle) };
  });
  return pathOf(points, true);
}

/** A triangle whose tip is at the point. */
export function triangleAt({ x, y }: Point, angle: number, size: number): string {
  const corner = (turn: number) => ({
    x: x + 1.35 * size * Math.cos(angle + Math.PI + turn),
    y: y + 1.35 * size * Math.sin(angle + Math.PI + turn),
  });
  return pathOf([{ x, y }, corner(-0.42), corner(0.42)], true);
}

/** An × as a path. */
export function crossAround(at: Point, radius: number): string {
  return pathAround(at, radius, [-1, -1, 1, 1], false) + pathAround(at, radius, [-1, 1, 1, -1], false);
}
