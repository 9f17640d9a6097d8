import { posix, relative } from 'node:path';
import { sourceAliases } from '../../scripts/sources.mjs';
import { lineAt, scan } from './scan.ts';
import { ROOT, type SourceFile } from './source-file.ts';

/** One import or re-export, of values or of types. */
export interface Import {
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
  /** The file of the repository that the specifier names, by a path or by the door of a package; undefined for a library. */
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

const doors = sourceAliases();

/** The source of a door of our packages. */
export function doorFile(specifier: string): string | undefined {
  const door = doors.find(({ find }) => find.test(specifier));
  return door && relative(ROOT, specifier.replace(door.find, door.replacement));
}

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
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), source) : doorFile(source);
      return { from: path, line: lineAt(text, offset), specifier, target };
    });
}
