/**
 * Checkpoints as files.
 *
 * Guarantees: a file is replaced completely or not at all. A file that is truncated, damaged, of another check or of another
 * build is refused in one line that names it.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { reasonOf } from '@hustings/base/command/exit';
import { versionOfPackage } from '@hustings/base/command/package-version';
import type { OutputFile } from '@hustings/base/command/user-files';
import { identityOf } from '@hustings/base/node';
import { type Checkpoint, checkpointBytes, type Facts, readCheckpoint } from '../checker/index.ts';
import { InputError } from '../kernel/index.ts';
import { isPath } from './flags/algorithm-name.ts';

/** What a checkpoint depends on besides the options: the build of this package and of its base, and the user's file. */
export async function checkpointFacts(calledAs: string): Promise<Facts> {
  const version = identityOf(versionOfPackage(), ['@hustings/base', '@hustings/study'], import.meta.url).text;
  if (!isPath(calledAs)) return { version };
  // Loaded on use: a user's file may import the whole package.
  const { carryFile } = await import('./user-file/algorithm-file.ts');
  return { version, file: `${calledAs} (hash ${(await carryFile(calledAs)).hash})` };
}

export function writeCheckpoint(file: OutputFile, checkpoint: Checkpoint): void {
  file.write(checkpointBytes(checkpoint));
}

export function readCheckpointFile(path: string): Checkpoint {
  const file = opened(path);
  try {
    return readCheckpoint((into) => {
      let filled = 0;
      for (let read = -1; read !== 0 && filled < into.length; filled += read) {
        read = readSync(file, into, filled, Math.min(into.length - filled, MAX_BYTES), null);
      }
      return filled;
    });
  } catch (error) {
    const text = error instanceof InputError ? error.message : reasonOf(error);
    throw new InputError(
      `--resume must be a checkpoint that 'hustings check' wrote, not '${path}': ${text}`,
      {
        cause: error,
      },
    );
  } finally {
    closeSync(file);
  }
}

/** Node reads at most 2 GB at once. */
const MAX_BYTES = 2 ** 30;

function opened(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw new InputError(
      `--resume must be a readable file, not '${path}' (${reasonOf(error)}): correct the path`,
      {
        cause: error,
      },
    );
  }
}
