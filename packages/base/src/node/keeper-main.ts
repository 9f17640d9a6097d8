/**
 * The keeper cleans up after the process that started it, however that process ends, kill −9 included. At the end of its stdin
 * it kills the processes that its parent has named, because a paused process cannot notice the end, and removes the folder. It
 * has a session of its own, so that signals to the group of its parent do not reach it.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { hasProcessTable, readProcess, sendSignal } from './process-table.ts';

/** A line of its stdin: a process that was started, or one that has ended. */
export type KeeperMessage =
  | { readonly pid: number; readonly startTicks: number | null }
  | { readonly gone: number };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
const kept = new Map<number, number | null>();
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as KeeperMessage;
  if ('gone' in message) kept.delete(message.gone);
  else kept.set(message.pid, message.startTicks);
}
for (const [pid, startTicks] of kept) {
  // The pid of a process that has just ended may belong to another one.
  if (!hasProcessTable() || readProcess(pid)?.startTicks === startTicks) sendSignal(pid, 'SIGKILL');
}
// A process that is being killed may still create a file.
rmSync(process.argv[2], { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
