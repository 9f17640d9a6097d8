/**
 * Cleans up after the demo, however the process that started it ends, kill −9 included: then the channel closes, and this
 * process kills the candidates, of which a paused one cannot notice anything, and removes the folder. It has a session of its
 * own, so that signals to the group of its parent do not reach it.
 */
import { rmSync } from 'node:fs';
import { hasProcessTable, readProcess } from '../../lease/host/process-table.ts';
import type { ToKeeper } from './worker-messages.ts';

const [, , folder] = process.argv;
const watched = new Map<number, number | null>();

process.on('message', (message: ToKeeper) => {
  if (message.type === 'watch') watched.set(message.pid, message.startTicks);
  else watched.delete(message.pid);
});

function cleanUp(): void {
  const isKnown = hasProcessTable();
  for (const [pid, startTicks] of watched) {
    // The pid of a candidate that has just ended may belong to another process.
    if (isKnown && readProcess(pid)?.startTicks !== startTicks) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
  }
  // A candidate that is being killed may still create a file.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

process.on('disconnect', cleanUp);
// The parent may have ended before this module was loaded: then there is no event any more.
if (!process.connected) cleanUp();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
