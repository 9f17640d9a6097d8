/** Takes a run to its end, under the eyes of a watchdog and with word of its progress. */
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Run } from '../../simulator/index.ts';
import { EnvironmentError } from '../exit.ts';
import type { Progress } from '../progress.ts';
import { watch } from './watchdog.ts';

/** A chunk is to take about this long, so that one that takes hundreds of times as long is stuck and not slow. */
const CHUNK_MS = 50;
const FIRST_CHUNK = 1 << 14;
const MOST_CHUNK = 1 << 22;

const HANDLER_LIMIT_MS = 20_000;
/** A round cannot be cut into chunks; this is a hundred times what a handler takes. */
const LIMIT_MS_PER_NODE = 0.02;

export interface WatchOptions {
  readonly progress: Progress;
  /** Called between the chunks, where writing to a reader that is slow cannot be taken for a handler that is stuck. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly limitMs?: number | undefined;
}

export function handlerLimitMs(nodes: number, env: NodeJS.ProcessEnv = process.env): number {
  const given = Number(env.HUSTINGS_HANDLER_TIMEOUT_MS);
  return given > 0 ? given : HANDLER_LIMIT_MS + nodes * LIMIT_MS_PER_NODE;
}

export async function runWatched(run: Run, options: WatchOptions): Promise<void> {
  const { progress, pause } = options;
  const { simulation } = run;
  const limitMs = Math.ceil(options.limitMs ?? handlerLimitMs(run.plan.nodes));
  // Somebody who picks each delivery looks at all that are possible: a step may take long.
  let chunk = run.plan.schedule.type === 'adversary' ? 1 : FIRST_CHUNK;
  try {
    for (;;) {
      const startMs = performance.now();
      const watched = watch(() => run.advance(chunk), limitMs);
      if (!watched.ended) giveUp(run, limitMs, watched.wasBusy);
      const tookMs = performance.now() - startMs;
      if (tookMs < CHUNK_MS / 2) chunk = Math.min(2 * chunk, MOST_CHUNK);
      else if (tookMs > CHUNK_MS * 2) chunk = Math.max(1, chunk >> 1);
      if (watched.value) return;
      progress.update(simulation.steps, Math.max(0, simulation.machine.context.clock));
      if (pause === undefined) continue;
      await pause();
      await turnOfTheLoop(); // in which a reader that went away makes itself known
    }
  } finally {
    progress.clear();
  }
}

export function giveUp(run: Run, limitMs: number, wasBusy: boolean): never {
  const seconds = `${limitMs / 1000} s`;
  if (wasBusy) run.fail('handler', `it has not returned after ${seconds}`);
  throw new EnvironmentError(
    `expected to run without a break, but was suspended for most of ${seconds}: run it again: ${run.plan.replay}`,
  );
}
