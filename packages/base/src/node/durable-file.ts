/** Durable file writes: on disk when they return, and atomic in a crash. */
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file. Requires a lock: all writers of a path use the same temporary name, so that crashes leave at most one
 * temporary file. The file keeps its permissions, unless `mode` is given.
 */
export async function replaceFile(path: string, data: string | Uint8Array, mode?: number): Promise<void> {
  const fresh = `${path}.new`;
  const kept = mode === undefined ? await modeOf(path) : undefined;
  // A leftover temporary file is removed, never written into.
  await rm(fresh, { force: true });
  const file = await open(fresh, 'wx', mode ?? kept ?? 0o666);
  try {
    // The umask has reduced the permissions that were requested in open.
    if (kept !== undefined) await file.chmod(kept);
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  await syncFolder(path);
}

/**
 * Appends to a file. Requires a lock. A write that fails, for example on a full disk, is undone. A crash may leave the first
 * part of the data at the end of the file.
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

/** A new entry of a folder is on disk when the folder is synced. `path` is that of the entry. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and journals renames itself.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
