/** Runs the work of a command on the workers of a queue. Ctrl-C cancels the work; SIGTERM leaves it to the workers. */

import { printable } from '@hustings/base';
import { CANCELED, stoppable } from '@hustings/base/command/stop-signal';
import { fromWorkerError, type WorkerError } from '@hustings/study/internal/cli/workers/worker-error';
import type { QueueEvent } from '../queue-event.ts';
import { CANCEL, runShared } from '../shared-run.ts';
import type { MergedParts, SharedWork } from '../shared-work.ts';
import { withQueue } from './opened-queue.ts';
import { queueEventText } from './queue-event.ts';

/** Calls `onParts` about once per second and at the end. Returns the exit code of the signal that stopped it, or null. */
export function runOnQueue(
  url: string,
  work: SharedWork,
  onParts: (parts: MergedParts) => void,
): Promise<number | null> {
  return withQueue(url, (connection) => {
    const ending = new AbortController();
    // Names in it come from other machines.
    const onEvent = (event: QueueEvent): void =>
      console.error(`hustings: ${printable(queueEventText(event, url, connection.build.text))}`);
    const run = async (): Promise<void> => {
      const error = await runShared(connection, work, { onParts, onEvent, signal: ending.signal });
      if (error !== null) throw fromWorkerError(error as WorkerError);
    };
    return stoppable(run, (exitCode) => ending.abort(exitCode === CANCELED ? CANCEL : undefined));
  });
}
