/** Turns errors of SQLite and of the file system into a `StoreError` with advice. */

import { errorMessage } from '@hustings/base';
import { StoreError, type StoreErrorKind } from '../../core/store-error.ts';
import { sqliteCode } from '../sqlite-library.ts';

/** By the primary result code of SQLite. */
const CODES: Readonly<Record<number, readonly [StoreErrorKind, string]>> = {
  3: ['denied', 'this user has no permission; grant it, or use another file'],
  5: ['busy', 'another process wrote for too long; the elector tries again'],
  6: ['busy', 'another connection wrote for too long; the elector tries again'],
  8: ['denied', 'the file or its folder is read-only; make both writable, or use another file'],
  10: ['unreachable', 'the disk failed; check the system log'],
  11: [
    'unusable',
    'the file is damaged; stop every process that uses it, then restore it or remove it with the files beside it',
  ],
  13: ['busy', 'the disk is full; free some space'],
  14: ['denied', 'the file cannot be opened; check the permissions of the file and its folder'],
  22: ['unusable', 'the system does not support large files'],
  23: ['denied', 'access was denied'],
  26: ['unusable', 'the file is not a SQLite database; use another path'],
};

const FILE_CODES: Readonly<Record<string, readonly [StoreErrorKind, string]>> = {
  EACCES: ['denied', 'this user has no permission for the file or its folder; grant it, or use another path'],
  EPERM: ['denied', 'this user has no permission for the file or its folder; grant it, or use another path'],
  EROFS: ['denied', 'the file system is read-only; use another path'],
  ENOTDIR: ['unusable', 'a part of the path is a file, not a folder; use another path'],
  EEXIST: ['unusable', 'a part of the path is a file, not a folder; use another path'],
  EISDIR: ['unusable', 'the path is a folder; add the name of the file'],
  ENOENT: ['unusable', 'the folder cannot be created; use another path'],
  ENAMETOOLONG: ['unusable', 'the path is too long; use a shorter one'],
  ELOOP: ['unusable', 'the path has a cycle of links; use another path'],
  ENOSPC: ['busy', 'the disk is full; free some space'],
  EDQUOT: ['busy', 'the disk quota is exhausted; free some space'],
  EMFILE: ['busy', 'this process has too many open files; close some, or raise the limit'],
};

export function sqliteError(label: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = sqliteCode(error);
  const fileCode = (error as NodeJS.ErrnoException | null)?.code ?? '';
  const known = code === undefined ? FILE_CODES[fileCode] : CODES[code];
  const said = errorMessage(error);
  if (known === undefined) return new StoreError('unreachable', `${label}: ${said}`, error);
  return new StoreError(known[0], `${label}: ${said}: ${known[1]}`, error);
}
