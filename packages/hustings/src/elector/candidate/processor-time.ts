/**
 * How much processor time the process used since a sample that was taken shortly before. It tells a blocked event loop from
 * a process that did not run. A reading takes some microseconds: one sample serves all candidates of the process.
 */
const MIN_INTERVAL_MS = 50;

let used = process.cpuUsage();
let takenMs = performance.now();

export const processorTime = {
  /** Takes a sample, unless the last one is recent. */
  sample(): void {
    const nowMs = performance.now();
    if (nowMs - takenMs < MIN_INTERVAL_MS) return;
    takenMs = nowMs;
    used = process.cpuUsage();
  },

  sinceSampleMs(): number {
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 1_000;
  },
};
