/** Prints what a run has shown. */
import type { FaultRun } from './fault-run.ts';

export function report(name: string, seed: number, run: FaultRun): void {
  const { boundMs, epochs, faults, leaders, medianMs, seconds, slowest, slowestMs, steps, wrongs } = run;
  const share = Math.round((100 * slowestMs) / boundMs);
  const counted =
    epochs === null
      ? ''
      : `${epochs.ended} epochs ended, ${epochs.laws} counts equal laws, ${epochs.simulated} the simulator's; `;
  process.stdout.write(
    `${name}, seed ${seed}: ${faults.length} faults, ${wrongs.length} wrong, ${leaders} leaders, ${steps} steps replayed, ` +
      `agreement after ${medianMs} ms (median) and at most ${slowestMs} ms, ${share} % of the bound of ${boundMs} ms, ` +
      `after ${slowest}; ${counted}${Math.round(seconds)} s\n  ${faults.join('; ')}\n`,
  );
}
