/** The files of the page Write, kept in this browser. A file is only replaced by a later text of itself. */
import { readPreference, writePreference } from '../shell/preferences.ts';

export interface OwnFile {
  readonly id: string;
  /** With the ending .ts. */
  readonly name: string;
  readonly text: string;
  /** The name of the algorithm that it is a fork of; null if it is none. */
  readonly forkOf: string | null;
}

const KEY = 'write.files';
const CURRENT = 'write.current';

/** What is kept; texts that are not files are left out. */
export function readFiles(): OwnFile[] {
  try {
    const kept: unknown = JSON.parse(readPreference(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isFile) : [];
  } catch {
    return [];
  }
}

function isFile(value: unknown): value is OwnFile {
  const { forkOf, id, name, text } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof text === 'string' &&
    (forkOf === null || typeof forkOf === 'string')
  );
}

/** Another tab may have added files meanwhile: only this one is changed. */
export function keepFile(file: OwnFile): void {
  const others = readFiles();
  const at = others.findIndex(({ id }) => id === file.id);
  if (at < 0) others.push(file);
  else others[at] = file;
  writePreference(KEY, JSON.stringify(others));
  writePreference(CURRENT, file.id);
}

export function forgetFile(id: string): void {
  writePreference(KEY, JSON.stringify(readFiles().filter((file) => file.id !== id)));
}

export function currentFile(): OwnFile | undefined {
  const id = readPreference(CURRENT);
  const files = readFiles();
  return files.find((file) => file.id === id) ?? files.at(-1);
}

/** A name that no file has yet. */
export function freeName(base: string, files: readonly OwnFile[]): string {
  const taken = new Set(files.map(({ name }) => name));
  for (let k = 1; ; k++) {
    const name = k === 1 ? `${base}.ts` : `${base}-${k}.ts`;
    if (!taken.has(name)) return name;
  }
}
