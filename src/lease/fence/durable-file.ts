/** Writes that are on the disk when they return, and that a crash leaves either whole or not at all. */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only under a lock: all writers of a path use the same name for the new file, so that crashes leave at most one behind. */
export async function replaceFile(path: string, data: string | Uint8Array): Promise<void> {
  const fresh = `${path}.new`;
  const file = await open(fresh, 'w');
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  await syncFolder(path);
}

/** A crash in the middle may leave the first part of the data at the end of the file. */
export async function appendToFile(path: string, data: string | Uint8Array): Promise<void> {
  const file = await open(path, 'a');
  try {
    const isNew = (await file.stat()).size === 0;
    await file.writeFile(data);
    await file.sync();
    if (isNew) await syncFolder(path);
  } finally {
    await file.close();
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
