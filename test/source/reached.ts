import { importsOf } from './imports.ts';
import type { SourceFile } from './source-file.ts';

/** Files that no entry reaches: dead code. */
export function unreached(files: readonly SourceFile[], entries: readonly string[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    waiting.push(...importsOf(file).flatMap(({ target }) => target ?? []));
  }
  return files.map(({ path }) => path).filter((path) => !reached.has(path));
}
