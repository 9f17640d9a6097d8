/** The token of changes: of the environment, of the file, or a new one, in this order. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { EnvironmentError } from '@hustings/base';
import { reasonOf } from '@hustings/base/command/exit';

/** A new token is to be printed only if no file holds it. */
export function serveToken(
  file: string | undefined,
  { HUSTINGS_SERVE_TOKEN: given }: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): { readonly token: string; readonly isNew: boolean } {
  if (given) return { token: given, isNew: false };
  const fresh = randomBytes(24).toString('hex');
  if (file === undefined) return { token: fresh, isNew: true };
  try {
    if (!existsSync(file)) writeOnce(file, `${fresh}\n`);
  } catch (error) {
    throw new EnvironmentError(`the token cannot be written to ${file}: ${reasonOf(error)}`, error);
  }
  try {
    return { token: readWarily(file, warn), isNew: false };
  } catch (error) {
    throw new EnvironmentError(`the token cannot be read from ${file}: ${reasonOf(error)}`, error);
  }
}

/** If several sidecars start together, one writes the token, and all read the same one: the file appears whole. */
function writeOnce(file: string, text: string): void {
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(own, text, { flag: 'wx', mode: 0o600 });
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Only a warning: the files of a Kubernetes Secret belong to root, and its volume may be readable for all in the container. */
function readWarily(file: string, warn: (message: string) => void): string {
  const descriptor = openSync(file, 'r');
  try {
    const { mode, uid } = fstatSync(descriptor);
    const own = process.getuid?.();
    // Windows has no such modes.
    if (own !== undefined) {
      const isWritable = (mode & 0o022) !== 0 || (uid !== own && uid !== 0);
      if (isWritable || (mode & 0o044) !== 0) {
        warn(`other users can ${isWritable ? 'write' : 'read'} the token in ${file}; run chmod 600 on it`);
      }
    }
    const token = readFileSync(descriptor, 'utf8').trim();
    // An empty one would let everybody in.
    if (token === '') throw new Error('the file is empty; remove it, and a new token is written');
    return token;
  } finally {
    closeSync(descriptor);
  }
}
