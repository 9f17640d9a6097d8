import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';

export const MAX_LINES = 400;

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
// Documents with conventional names in capitals, and files of tools, which begin with a dot or have names of their own.
const OWN_SPELLING = /^([A-Z_]+(\.md)?|\..+|Dockerfile(\.dockerignore)?|Chart\.yaml)$/;

export function misspelt(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const name = posix.basename(path);
    return !KEBAB.test(name) && !OWN_SPELLING.test(name);
  });
}

// Names that do not say what the file contains.
const DRAWERS = ['utils', 'util', 'helpers', 'helper', 'common', 'manager', 'types', 'misc'];

export function drawers(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const words = posix.basename(path).split('.')[0].toLowerCase().split('-');
    return words.some((word) => DRAWERS.includes(word));
  });
}

/** Long files without a reason, and reasons without a long file. */
export function tooLong(files: readonly SourceFile[], reasons: Readonly<Record<string, string>>): string[] {
  const long = new Map<string, number>();
  for (const { path, text } of files) {
    const lines = text.trimEnd().split('\n').length;
    if (lines > MAX_LINES) long.set(path, lines);
  }
  const unexplained = [...long].filter(([path]) => !reasons[path]);
  const stale = Object.keys(reasons).filter((path) => !long.has(path));
  return [
    ...unexplained.map(([path, lines]) => `${path} has ${lines} lines, more than ${MAX_LINES}: split it`),
    ...stale.map((path) => `${path} has a reason to be long but is not: remove the reason`),
  ];
}

function linesWith(files: readonly SourceFile[], pattern: RegExp, what: string): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${what}`] : [])),
  );
}

// Written in two pieces, so that this file does not match itself.
const NOTE = new RegExp(`\\b(TO${'DO'}|FIX${'ME'}|XX${'X'})\\b`);

export function notesToSelf(files: readonly SourceFile[]): string[] {
  return linesWith(files, NOTE, 'holds a note to self: do it or file it');
}

// A slash after a word, a brace or a dot is part of a longer path, which is not a machine's root.
const MACHINE_PATH = /(?<![\w.})*-])\/(work|root|home)\//;

export function machinePaths(files: readonly SourceFile[]): string[] {
  return linesWith(files, MACHINE_PATH, 'holds a path of one machine');
}

/** Addresses in a lock file would tie every installation to one registry. */
export function resolvedAddresses(locks: readonly SourceFile[]): string[] {
  return linesWith(locks, /"resolved": "(?!packages\/)/, 'holds a resolved address');
}
