/** Runs a simulation to its end, with a watchdog and a progress line. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EnvironmentError } from '@hustings/base';
import type { Progress } from '@hustings/base/command/progress';
import type { Run } from '../../simulator/index.ts';
import { watch } from './watchdog.ts';

/** The intended duration of a chunk. A chunk that takes hundreds of times longer is stuck, not slow. */
const CHUNK_MS = 50;
const FIRST_CHUNK = 1 << 14;
const MAX_CHUNK = 1 << 22;

const HANDLER_LIMIT_MS = 20_000;
/** A round cannot be cut into chunks. This is a hundred times the duration of a handler. */
const LIMIT_MS_PER_NODE = 0.02;

export interface WatchOptions {
  readonly progress: Progress;
  /** Called between chunks, so that waiting for a slow reader is not taken for a handler that does not return. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly limitMs?: number | undefined;
  /** Ends the run between two chunks. */
  readonly signal?: AbortSignal | undefined;
  /** Returns between two chunks after this time. */
  readonly forMs?: number | undefined;
}

/**
 * In its first second the run or the search of a user's file has little to report, and a signal ends the process at once: most handlers
 * that never return are met in it.
 */
export const UNHANDLED_MS = 1000;

export function handlerLimitMs(nodes: number, env: NodeJS.ProcessEnv = process.env): number {
  const given = Number(env.HUSTINGS_HANDLER_TIMEOUT_MS);
  return given > 0 ? given : HANDLER_LIMIT_MS + nodes * LIMIT_MS_PER_NODE;
}

/** Runs to the end, or until the signal is aborted or the time is over. True if the run has ended. */
export async function runWatched(run: Run, options: WatchOptions): Promise<boolean> {
  const { progress, pause, signal, forMs = Number.POSITIVE_INFINITY } = options;
  const endMs = performance.now() + forMs;
  const { simulation } = run;
  const limitMs = Math.ceil(options.limitMs ?? handlerLimitMs(run.plan.nodes));
  // An adversary examines all messages in flight, so one step may take long.
  let chunk = run.plan.schedule.type === 'adversary' ? 1 : FIRST_CHUNK;
  try {
    for (;;) {
      const startMs = performance.now();
      const watched = watch(() => run.advance(chunk), limitMs);
      if (!watched.ended) giveUp(run, limitMs, watched.wasBusy);
      const tookMs = performance.now() - startMs;
      if (tookMs < CHUNK_MS / 2) chunk = Math.min(2 * chunk, MAX_CHUNK);
      else if (tookMs > CHUNK_MS * 2) chunk = Math.max(1, chunk >> 1);
      if (watched.value) return true;
      progress.update(simulation.steps, Math.max(0, simulation.machine.context.clock));
      await pause?.();
      await nextTurn(); // lets a signal or the error of a closed pipe arrive
      if (signal?.aborted || performance.now() >= endMs) return false;
    }
  } finally {
    progress.clear();
  }
}

export function giveUp(run: Run, limitMs: number, wasBusy: boolean): never {
  const seconds = `${limitMs / 1000} s`;
  if (wasBusy) run.fail('handler', `it has not returned after ${seconds}`);
  throw new EnvironmentError(
    `the process was suspended for most of ${seconds}; run it again: ${run.plan.replay}`,
  );
}
