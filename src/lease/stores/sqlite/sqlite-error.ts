/** What SQLite and the file system answer, as a `StoreError` that says what to do. */

import type { StoreErrorKind } from '../../core/store-error-kind.ts';
import { sqliteCode } from '../../sqlite-library.ts';
import { StoreError } from '../../store-error.ts';

/** SQLite's primary result codes. */
const CODES: Readonly<Record<number, readonly [StoreErrorKind, string]>> = {
  3: ['denied', 'this user has no right to it: give the right, or take another file'],
  5: ['busy', 'another process was writing for too long: it will be tried again'],
  6: ['busy', 'another connection was writing for too long: it will be tried again'],
  8: ['denied', 'the file or its folder is read-only: make both writable, or take another file'],
  10: ['unreachable', 'the disk did not do what was asked: look at the system log'],
  11: [
    'unusable',
    'the file is damaged: restore it, or remove it and the files beside it (tokens then begin anew)',
  ],
  13: ['busy', 'the disk is full: make room'],
  14: ['denied', 'the file cannot be opened: look at the rights of the file and of its folder'],
  22: ['unusable', 'the system lacks what SQLite needs for large files'],
  23: ['denied', 'access was refused'],
  26: ['unusable', 'the file is no SQLite database: take another path'],
};

const FILE_CODES: Readonly<Record<string, readonly [StoreErrorKind, string]>> = {
  EACCES: [
    'denied',
    'this user has no right to the file or its folder: give the right, or take another path',
  ],
  EPERM: ['denied', 'this user has no right to the file or its folder: give the right, or take another path'],
  EROFS: ['denied', 'the file system is read-only: take another path'],
  ENOTDIR: ['unusable', 'a part of the path is a file, not a folder: take another path'],
  EEXIST: ['unusable', 'a part of the path is a file, not a folder: take another path'],
  EISDIR: ['unusable', 'the path is that of a folder: add the name of the file'],
  ENOENT: ['unusable', 'the folder cannot be made: take another path'],
  ENAMETOOLONG: ['unusable', 'the path is too long: take a shorter one'],
  ELOOP: ['unusable', 'the path leads in a circle of links: take another one'],
  ENOSPC: ['busy', 'the disk is full: make room'],
  EDQUOT: ['busy', 'the disk quota is used up: make room'],
  EMFILE: ['busy', 'this process has too many open files: close some, or raise the limit'],
};

export function sqliteError(label: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = sqliteCode(error);
  const fileCode = (error as NodeJS.ErrnoException | null)?.code ?? '';
  const known = code === undefined ? FILE_CODES[fileCode] : CODES[code];
  const said = error instanceof Error ? error.message : String(error);
  if (known === undefined) return new StoreError('unreachable', `${label}: ${said}`, error);
  return new StoreError(known[0], `${label}: ${said}: ${known[1]}`, error);
}
