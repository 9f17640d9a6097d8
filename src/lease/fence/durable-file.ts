/** Writes that are on the disk when they return, and that a crash leaves either whole or not at all. */
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Only under a lock: all writers of a path use the same name for the new file, so that crashes leave at most one behind. The rights
 * of the file stay as they were.
 */
export async function replaceFile(path: string, data: string | Uint8Array): Promise<void> {
  const fresh = `${path}.new`;
  const mode = await modeOf(path);
  // What a crash has left, or somebody has put there, is never written into.
  await rm(fresh, { force: true });
  const file = await open(fresh, 'wx', mode ?? 0o666);
  try {
    // What was asked for at opening is cut by the umask.
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  await syncFolder(path);
}

/**
 * Only under a lock: a write that fails, as on a full disk, is taken back. A crash in the middle may leave the first part of the
 * data at the end of the file.
 */
export async function appendToFile(path: string, data: string | Uint8Array): Promise<void> {
  const file = await open(path, 'a');
  try {
    const { size } = await file.stat();
    try {
      await file.writeFile(data);
      await file.sync();
    } catch (error) {
      await file.truncate(size);
      throw error;
    }
    if (size === 0) await syncFolder(path);
  } finally {
    await file.close();
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and keeps renames in its own journal.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
