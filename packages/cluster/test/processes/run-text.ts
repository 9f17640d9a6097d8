/** Prints what a run has shown. */
import type { FaultRun } from './fault-run.ts';

export function report(name: string, seed: number, run: FaultRun): void {
  const {
    boundMs,
    disturbed,
    epochs,
    faults,
    leaders,
    medianMs,
    seconds,
    slowest,
    slowestMs,
    steps,
    wrongs,
  } = run;
  const share = (ms: number): string => `${ms} ms, ${Math.round((100 * ms) / boundMs)} % of the bound`;
  const counted =
    epochs === null
      ? ''
      : `${epochs.ended} epochs ended, ${epochs.laws} counts equal laws, ${epochs.simulated} the simulator's; `;
  process.stdout.write(
    `${name}, seed ${seed}: ${faults.length} faults, ${wrongs.length} wrong, ${leaders} leaders, ${steps} steps replayed; ` +
      `agreement after ${medianMs} ms (median), at most ${share(slowestMs)} of ${boundMs} ms, after ${slowest}; ` +
      `with a busy machine (${Math.round(100 * disturbed)} %) at most ${share(run.slowestOfAllMs)}; ${counted}` +
      `${Math.round(seconds)} s\n  ${faults.join('; ')}\n`,
  );
}
