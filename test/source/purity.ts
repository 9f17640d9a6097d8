import { isPure } from './arrows.ts';
import { lineAt, scan } from './scan.ts';
import type { SourceFile } from './source-file.ts';

/** What the code of a pure layer may not use. `(?<![\w$.])` excludes methods of the same name. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'Date.now': /\bDate\s*\.\s*now\b/g,
  'new Date': /\bnew\s+Date\b/g,
  'Math.random': /\bMath\s*\.\s*random\b|\bMath\s*\[|\}\s*=\s*Math\b/g,
  performance: /(?<![\w$.])performance\s*\./g,
  setTimeout: /\bsetTimeout\b/g,
  setInterval: /\bsetInterval\b/g,
  setImmediate: /\bsetImmediate\b/g,
  queueMicrotask: /\bqueueMicrotask\b/g,
  process: /(?<![\w$.])process\s*[.[]/g,
  globalThis: /\bglobalThis\b/g,
  crypto: /(?<![\w$.])crypto\s*\./g,
  'require(': /(?<![\w$.])require\s*\(/g,
  'import(': /\bimport\s*\(/g,
  'eval(': /(?<![\w$])eval\s*\(/g,
  'new Function': /\bnew\s+Function\b/g,
  'fetch(': /(?<![\w$.])fetch\s*\(/g,
};

export function impurities(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isPure(path))
    .flatMap(({ path, text }) => {
      const { code } = scan(text);
      return Object.entries(FORBIDDEN).flatMap(([name, pattern]) =>
        [...code.matchAll(pattern)].map(({ index }) => `${path}:${lineAt(code, index)} uses ${name}`),
      );
    });
}
