/**
 * One candidate of the demo, a process of its own. While it leads it writes entries to two resources: to the ledger with its
 * token through a fence, and to the file without one. As in most programs, there is time between the check of the lease
 * and the write: a leader that is paused there writes late.
 *
 * A pause takes effect between two calls to the store and outside of a write. Elsewhere a stopped process would hold a lock
 * that the others need, and the demo would show that instead.
 */
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createElector } from 'hustings';
import { openStore, StoreError } from 'hustings/lease';
import { FenceError, fencedAppend } from 'hustings/lease/fence';
import type { Lead } from 'hustings/opentelemetry';
import { Blockade } from './blockade.ts';
import { entryLine } from './resource-log.ts';

/** The first argument of this program, as JSON. */
export interface WorkerConfig {
  readonly id: string;
  readonly name: string;
  readonly store: string;
  readonly ttlMs: number;
  /** Between the check of the lease and the write, and again between the write and the next check. */
  readonly stepMs: number;
  readonly ledger: string;
  readonly file: string;
}

export type ToWorker =
  /** Wait to be stopped at the next point at which a leader has checked its lease and has not yet written. */
  { readonly type: 'pause' } | { readonly type: 'block'; readonly blocked: boolean };

export type FromWorker =
  /** The process waits to be stopped. */
  | { readonly type: 'stoppable' }
  | { readonly type: 'working'; readonly token: string | null }
  | { readonly type: 'renewed'; readonly atMs: number }
  /** An entry is in at least one of the resources. */
  | { readonly type: 'wrote' }
  | { readonly type: 'refused'; readonly token: string; readonly entry: number; readonly atMs: number };

const config: WorkerConfig = JSON.parse(process.argv[2]);
const blockade = new Blockade();
let isPauseDue = false;
let isWorking = false;
let entry = 0;

function notify(message: FromWorker): void {
  process.send?.(message, () => {});
}

/** The demo sends SIGSTOP when it is told; a process that sent it to itself could be stopped twice. */
const STOP_WAIT_MS = 2_000;
const cell = new Int32Array(new SharedArrayBuffer(4));

function pauseIfDue(): void {
  if (!isPauseDue) return;
  isPauseDue = false;
  notify({ type: 'stoppable' });
  // Blocks this thread. The time runs on while the process is stopped.
  Atomics.wait(cell, 0, 0, STOP_WAIT_MS);
}

process.on('message', (message: ToWorker) => {
  if (message.type === 'block') blockade.isClosed = message.blocked;
  else {
    isPauseDue = true;
    if (!isWorking) pauseIfDue();
  }
});
process.on('disconnect', () => process.exit());
// The parent may have ended before this module was loaded: then there is no event any more.
if (!process.connected) process.exit();

async function work(lead: Lead): Promise<void> {
  isWorking = true;
  notify({ type: 'working', token: String(lead.token) });
  try {
    while (!lead.signal.aborted && lead.isValid()) {
      // Not ended by the signal: the lease was checked, and nothing looks at it again before the write.
      await sleep(config.stepMs);
      pauseIfDue();
      if (!(await write(lead))) return;
      await sleep(config.stepMs, undefined, { signal: lead.signal }).catch(() => {});
    }
  } finally {
    isWorking = false;
    notify({ type: 'working', token: null });
    pauseIfDue();
  }
}

/** False if the fence has refused the entry. */
async function write({ term }: Lead): Promise<boolean> {
  entry++;
  const token = String(term.token);
  const atMs = Date.now();
  const line = entryLine({ token, id: config.id, entry, atMs });
  await appendFile(config.file, line);
  try {
    await fencedAppend(config.ledger, line, term);
    return true;
  } catch (error) {
    // A process that was stopped from outside may hold the lock of the ledger. The next entry tries again.
    if (error instanceof StoreError) return true;
    if (!(error instanceof FenceError)) throw error;
    notify({ type: 'refused', token, entry, atMs });
    return false;
  } finally {
    notify({ type: 'wrote' });
  }
}

const elector = createElector({
  store: blockade.around(await openStore(config.store)),
  name: config.name,
  id: config.id,
  ttlMs: config.ttlMs,
  onEvent: ({ type }) => {
    if (type === 'elected' || type === 'renewed') notify({ type: 'renewed', atMs: Date.now() });
  },
});
await elector.campaign(work);
