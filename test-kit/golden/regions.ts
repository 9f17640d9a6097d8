/** What stands between `<!-- NAME ARGUMENT -->` and `<!-- end -->` of a page is generated; the rest is written by hand. */

const REGION = /<!-- ([a-z]+)(?: ([a-z/.-]+))? -->\n([\s\S]*?)<!-- end -->/g;

/** The lines of a region by its name. */
export type Makers = Readonly<Record<string, (argument: string, inside: string) => readonly string[]>>;

/** Regions without a maker stay as they are. */
export function fillRegions(page: string, makers: Makers): string {
  return page.replaceAll(REGION, (whole, name: string, argument: string | undefined, inside: string) => {
    const lines = makers[name]?.(argument ?? '', inside);
    const head = argument === undefined ? name : `${name} ${argument}`;
    return lines === undefined ? whole : [`<!-- ${head} -->`, ...lines, '<!-- end -->'].join('\n');
  });
}

/** The name and the argument of each region. */
export function regionsOf(page: string): string[] {
  return [...page.matchAll(REGION)].map(([, name, argument]) => [name, argument].join(' ').trimEnd());
}

/** The lines of the region. */
export function insideOf(page: string, region: string): string[] {
  const found = [...page.matchAll(REGION)].find(([, name]) => name === region);
  return found?.[3].split('\n').slice(0, -1) ?? [];
}

/** The lines of a table; columns whose titles are in `right` are aligned to the right. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly string[] = [],
): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((title) => (right.includes(title) ? '---:' : '---'));
  return [line(head).replace(/\| {2}(?=\|)/g, '| '), line(rule), ...rows.map(line)];
}
