// A lock that is a directory: one holder at a time among the processes that share a disk.
//
// Guarantees: a lock is never seen without its owner's name in it (it is made elsewhere and renamed into place), and
// that of a process which died is taken over. Does not guarantee fairness, nor to tell within LOST_MS that a holder on
// another machine died.

import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {{ pid: number, host: string, sinceMs: number }} Owner */

const POLL_MS = 100;
const LOST_MS = 15 * 60_000; // far above the longest install
const BREAKING_MS = 10_000;

/**
 * @template T
 * @param {string} folder where the lock is kept
 * @param {(line: string) => void} log
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, log, work) {
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'lock');
  for (let told = false; !acquire(folder, lock); ) {
    const owner = readOwner(lock);
    if (owner && isDead(owner)) {
      breakLock(folder, lock);
      continue;
    }
    if (owner && !told) {
      log(`hustings: waiting for process ${owner.pid}, which is at it already …`);
      told = true;
    }
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {string} lock */
function acquire(folder, lock) {
  const made = mkdtempSync(join(folder, 'new-'));
  /** @type {Owner} */
  const owner = { pid: process.pid, host: hostname(), sinceMs: Date.now() };
  writeFileSync(join(made, 'owner.json'), JSON.stringify(owner));
  try {
    renameSync(made, lock); // fails while a lock with an owner is there
    return true;
  } catch {
    rmSync(made, { recursive: true, force: true });
    return false;
  }
}

/** @param {string} lock @returns {Owner | undefined} undefined when it was just given back */
function readOwner(lock) {
  try {
    return JSON.parse(readFileSync(join(lock, 'owner.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {Owner} owner */
export function isDead({ pid, host, sinceMs }) {
  if (Date.now() - sinceMs > LOST_MS) return true;
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * One at a time breaks a lock and looks again before it does: of two that saw the same dead owner the slower would
 * otherwise remove the lock which the faster has just made.
 * @param {string} folder @param {string} lock
 */
function breakLock(folder, lock) {
  const breaking = join(folder, 'breaking');
  try {
    mkdirSync(breaking);
  } catch {
    const age = Date.now() - (statSync(breaking, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > BREAKING_MS) rmSync(breaking, { recursive: true, force: true });
    return;
  }
  try {
    const owner = readOwner(lock);
    if (owner && isDead(owner)) rmSync(lock, { recursive: true, force: true });
  } finally {
    rmSync(breaking, { recursive: true, force: true });
  }
}
