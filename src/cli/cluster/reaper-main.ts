/**
 * Cleans up after `hustings cluster`, however it ends: a process whose stdin is a pipe of it. Each line is a JSON object: `folder`
 * is to be removed, `pid` is to be killed, `gone` has ended by itself. At the end of the pipe it does both.
 *
 * Member processes end by themselves when their parent does. One that is paused cannot.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

let folder: string | null = null;
const pids = new Set<number>();

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line) as { folder?: string; pid?: number; gone?: number };
  folder = told.folder ?? folder;
  if (told.pid !== undefined) pids.add(told.pid);
  if (told.gone !== undefined) pids.delete(told.gone);
}
for (const pid of pids) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
// A process that is being killed may still write.
if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
