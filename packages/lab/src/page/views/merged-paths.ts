/** Joins paths that look the same into one element each. */

const PATH = /<path d="([^"]*)"([^>]*)\/>/g;

/** In the order in which each style occurs first. What is not a path is left out, as the groups around swallowed messages. */
export function mergedPaths(parts: readonly string[]): string[] {
  const styles = new Map<string, string[]>();
  for (const part of parts) {
    for (const [, d, style] of part.matchAll(PATH)) {
      const known = styles.get(style);
      if (known === undefined) styles.set(style, [d]);
      else known.push(d);
    }
  }
  return [...styles].map(([style, all]) => `<path d="${all.join('')}"${style}/>`);
}
