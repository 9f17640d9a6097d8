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

export function importsOf({ path, text }: SourceFile): Import[] {
  const { code, strings } = scan(text);
  return STATEMENTS.flatMap((pattern) => [...code.matchAll(pattern)])
    .map((match) => match.index + match[0].length)
    .sort((a, b) => a - b)
    .map((offset) => {
      const specifier = strings.get(offset) ?? '';
      const source = specifier.replace(/\.js$/, '.ts');
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), source) : undefined;
      return { from: path, line: lineAt(text, offset), specifier, target };
    });
}
