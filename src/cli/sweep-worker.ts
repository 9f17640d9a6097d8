/** One thread of a sweep: makes the plan again from the words, and runs the chunks that it is given, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { ElectionError, HustingsError } from '../kernel/index.ts';
import type { Run } from '../simulator/index.ts';
import { type CellTally, planSweep, runChunk, type SweepChunk, type SweepOptions } from '../sweep/index.ts';
import { isPath, resolveAlgorithm } from './algorithm-name.ts';
import { giveUp, handlerLimitMs } from './drive.ts';
import { watch } from './watchdog.ts';

export interface SweepWork {
  readonly names: readonly string[];
  readonly options: SweepOptions;
}

/** An error as it goes to another thread, where its class is lost. */
export interface SentError {
  readonly text: string;
  readonly code?: string;
  /** Of an election that failed. */
  readonly property?: string;
  readonly replay?: string;
  readonly stack?: string | undefined;
}

export type FromWorker =
  | { readonly chunk: SweepChunk; readonly tally: CellTally; readonly tookMs: number }
  | { readonly error: SentError };

/** Handlers that come with the package are known to return; a user's own are watched. */
function takeToEnd(run: Run): void {
  const limitMs = Math.ceil(handlerLimitMs(run.plan.nodes));
  for (;;) {
    const watched = watch(() => run.advance(), limitMs);
    if (!watched.ended) giveUp(run, limitMs, watched.wasBusy);
    if (watched.value) return;
  }
}

function sent(error: unknown): SentError {
  if (error instanceof ElectionError) {
    const { message, code, property, replay } = error;
    return { text: message, code, property, replay };
  }
  if (error instanceof HustingsError) return { text: error.message, code: error.code };
  return { text: String(error), stack: error instanceof Error ? error.stack : undefined };
}

const tell = (message: FromWorker): void => parentPort?.postMessage(message);

async function work({ names, options }: SweepWork): Promise<void> {
  const plan = planSweep(await Promise.all(names.map(resolveAlgorithm)), options);
  parentPort?.on('message', (chunk: SweepChunk) => {
    const startMs = performance.now();
    const { calledAs } = plan.cells[chunk.cell].series.run;
    try {
      const tally = runChunk(plan, chunk, isPath(calledAs ?? '') ? takeToEnd : undefined);
      tell({ chunk, tally, tookMs: performance.now() - startMs });
    } catch (error) {
      tell({ error: sent(error) });
    }
  });
}

work(workerData).catch((error) => tell({ error: sent(error) }));
