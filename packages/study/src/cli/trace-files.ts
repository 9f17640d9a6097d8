/** The files of a recording in a folder. */
import { readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';

const TRACE_FILE = /^\d+\.trace$/;

export function isTraceFile(path: string): boolean {
  return TRACE_FILE.test(basename(path));
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The names ID.trace, by id; none if there is no such folder. */
export function traceFilesIn(folder: string): string[] {
  return (isFolder(folder) ? readdirSync(folder) : [])
    .filter(isTraceFile)
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}
