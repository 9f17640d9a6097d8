import { posix } from 'node:path';
import { lineAt, scan } from './scan.ts';
import type { SourceFile } from './source-file.ts';

/** One import or re-export, of values or of types. */
export interface Import {
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
  /** The file of the repository that a relative specifier names; undefined for a library. */
  readonly target: string | undefined;
}

const STATEMENTS = [
  /\b(?:import|export)\b(?:\s+type\b)?[\w$*{}\s,]*?\bfrom\s*(?=['"])/g,
  /\bimport\s*(?=['"])/g,
  /\bimport\s*\(\s*(?=['"])/g,
  // Module hooks, by the name of the compiled file.
  /\bregister\s*\(\s*(?=['"])/g,
];
/** Workers and programs, by the address of their file; other addresses are not code. */
const ADDRESS = /\bnew\s+URL\s*\(\s*(?=['"])/g;

export function importsOf({ path, text }: SourceFile): Import[] {
  const { code, strings } = scan(text);
  const offsets = (pattern: RegExp): number[] =>
    [...code.matchAll(pattern)].map((match) => match.index + match[0].length);
  const addresses = offsets(ADDRESS).filter((offset) => /^\..+\.[jt]sx?$/.test(strings.get(offset) ?? ''));
  return [...STATEMENTS.flatMap(offsets), ...addresses]
    .sort((a, b) => a - b)
    .map((offset) => {
      const specifier = strings.get(offset) ?? '';
      // The query of a specifier tells the bundler what to make of the file.
      const source = specifier.replace(/\?.*$/, '').replace(/\.js$/, '.ts');
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), source) : undefined;
      return { from: path, line: lineAt(text, offset), specifier, target };
    });
}
