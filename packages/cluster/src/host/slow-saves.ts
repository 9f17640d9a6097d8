/**
 * Warns once of a disk that is slower than the timeout of the algorithm. The answers of a member wait for its disk, so the others
 * may elect in vain again and again, and nothing else would say why.
 */
import type { MemberStore } from '../runtime/durable-outbox.ts';
import type { MemberClock } from '../runtime/member-clock.ts';
import { overlaySetup } from '../view/overlay.ts';
import { type ElectionSetup, unitMsOf } from './node-setup.ts';

/** The same store. `warn` gets one line when a save takes longer than the timeout, while it lasts. */
export function warnOfSlowSaves(
  store: MemberStore,
  { clock, members, setup }: SlowSaveOptions,
  warn: (text: string) => void,
): MemberStore {
  const limitMs = timeoutMsOf(setup, members);
  const remedy = setup.unitMs === undefined ? 'heartbeat' : 'unit';
  let hasWarned = limitMs === null;
  const watch = (maxMs: number): (() => void) => {
    const fromMs = clock.now();
    let cancel = clock.after(maxMs, () => {
      // So late that the process was stopped, and perhaps not the disk.
      if (clock.now() - fromMs > 2 * maxMs) cancel = watch(maxMs);
      else if (!hasWarned) {
        hasWarned = true;
        warn(
          `a save takes longer than ${Math.round(maxMs)} ms, the timeout of elections, which wait for it: use a faster disk, or a longer ${remedy} at all members`,
        );
      }
    });
    return () => cancel();
  };
  return {
    load: () => store.load(),
    async save(record) {
      if (hasWarned || limitMs === null) return store.save(record);
      const cancel = watch(limitMs);
      try {
        await store.save(record);
      } finally {
        cancel();
      }
    },
  };
}

interface SlowSaveOptions {
  readonly setup: ElectionSetup;
  readonly members: readonly number[];
  readonly clock: MemberClock;
}

/** The parameter `timeout` of the algorithm; null if it has none. */
function timeoutMsOf(setup: ElectionSetup, members: readonly number[]): number | null {
  const { algorithm, edges = null, set = {} } = setup;
  const timeout = overlaySetup(algorithm, members, set, edges)?.params.timeout;
  return typeof timeout === 'number' ? timeout * unitMsOf(setup, members) : null;
}
