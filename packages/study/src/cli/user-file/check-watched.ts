/**
 * Runs a check in slices, so that Ctrl-C is seen, with a progress line; and stops a user's handler that never returns.
 *
 * Guarantees: a slice in which a handler does not return is stopped. Does not guarantee that the check can continue then.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EnvironmentError } from '@hustings/base';
import { Progress } from '@hustings/base/command/progress';
import { stoppable } from '@hustings/base/command/stop-signal';
import { type CheckPlan, type CheckResult, checkInSlices, type SearchThread } from '../../checker/index.ts';
import { isPath } from '../flags/algorithm-name.ts';
import { HandlerError, watchedCopy } from './handler-watch.ts';
import { handlerLimitMs, UNHANDLED_MS } from './run-watched.ts';
import { watch } from './watchdog.ts';

/** Signals are handled at least this often, unless one slice takes longer. */
const TURN_MS = 30;
/** A slice has other work than handlers: it may wait for a thread that was lost, for half the limit of a handler at most. */
const MIN_SLACK_MS = 2000;
const MAX_LOST_MS = 10_000;

export interface WatchedCheck {
  readonly result: CheckResult;
  /** The exit code of the signal that stopped the check; null without a signal. */
  readonly exitCode: number | null;
}

/** `calledAs` is the algorithm as on the command line. Only a user's file is watched: our own handlers return. */
export async function checkWatched(
  calledAs: string,
  plan: CheckPlan,
  limitMs = handlerLimitMs(0),
): Promise<WatchedCheck> {
  const { options, setup } = plan;
  const isOwn = isPath(calledAs);
  let called = 'a handler';
  let isInCall = false;
  const algorithm = isOwn
    ? watchedCopy(setup.algorithm, (name, call) => {
        called = name;
        isInCall = true;
        const value = call();
        isInCall = false;
        return value;
      })
    : setup.algorithm;
  const progress = new Progress(process.stderr, true);
  let isStopped = false;
  const { threads } = options;
  const started: SearchThread[] = [];
  const lostMs = Math.min(MAX_LOST_MS, limitMs / 2);
  const slices = checkInSlices({
    ...plan,
    setup: { ...setup, algorithm },
    options: {
      ...options,
      threads: threads && {
        ...threads,
        start: (task) => {
          const thread = threads.start(task);
          started.push(thread);
          return thread;
        },
        pace: { ...threads.pace, lostMs },
      },
      isInterrupted: () => isStopped,
      onProgress: (...figures) => progress.updateSearch(...figures),
    },
  });
  let result: CheckResult | null = null;
  const turn = (): void => {
    const endMs = performance.now() + TURN_MS;
    do {
      isInCall = false;
      const slice = slices.next();
      if (slice.done === true) result = slice.value;
    } while (result === null && performance.now() < endMs);
  };
  const watchedTurn = (): void => {
    const sliceLimitMs = limitMs + Math.max(MIN_SLACK_MS, limitMs / 2);
    const watched = watch(turn, Math.ceil(sliceLimitMs));
    if (watched.ended) return;
    if (isInCall && watched.wasBusy) {
      throw new HandlerError(`${setup.algorithm.name}: ${called} has not returned after ${limitMs / 1000} s`);
    }
    throw new EnvironmentError(
      `the search has not advanced for ${sliceLimitMs / 1000} s, while ${called} was called again and again or a thread was ` +
        'waited for; make a step of the algorithm smaller, or run it again',
    );
  };
  const workUntil = async (endMs: number): Promise<void> => {
    while (result === null && performance.now() < endMs) {
      // Before the first turn too: then signals are handled from the beginning.
      await nextTurn();
      if (isOwn) watchedTurn();
      else turn();
    }
  };
  try {
    if (isOwn) await workUntil(performance.now() + UNHANDLED_MS);
    const exitCode = await stoppable(
      () => workUntil(Number.POSITIVE_INFINITY),
      () => {
        isStopped = true;
      },
    );
    return { result: result as unknown as CheckResult, exitCode };
  } finally {
    progress.clear();
    // A slice that was stopped has not ended its threads: nothing of it runs any more, not even `finally`.
    for (const thread of started) thread.end();
  }
}
