/** Hours of one pair of processes: the detector of one member over the heartbeats of another, both of which may pause. */

import { Random } from '../../../study/src/kernel/random.ts';
import { PeerDetector } from '../../src/detector/peer-detector.ts';
import { type DetectorOptions, detectorLimits } from '../../src/detector/phi-accrual.ts';

export interface DetectorFaults {
  readonly seed: number;
  readonly hours: number;
  /** Chance that a heartbeat is lost, or begins a burst of losses of up to 2. */
  readonly loss: number;
  /** Mean delay; the tail is exponential. */
  readonly delayMs: number;
  /** Pauses per hour of either process, up to `pauseMs` long. */
  readonly pausesPerHour: number;
  readonly pauseMs: number;
  /** The observer is stopped this often per hour, for up to a minute. */
  readonly stopsPerHour: number;
}

export interface DetectorReport {
  readonly heartbeats: number;
  readonly falseSuspicions: number;
  /** Milliseconds from a crash at the end of the run to the suspicion. */
  readonly detectedAfterMs: number;
}

const MAX_STOPPED_MS = 60_000;

/** Runs until the crash at the end is suspected. */
export function simulateDetector(options: DetectorOptions, faults: DetectorFaults): DetectorReport {
  const random = new Random(faults.seed, 'detector');
  const limits = detectorLimits(options);
  const detector = new PeerDetector(limits, [2], 0);
  const endMs = faults.hours * 3_600_000;
  const perEvent = (perHour: number, everyMs: number): number => (perHour * everyMs) / 3_600_000;
  const arrivals: number[] = [];
  let [sendMs, pollMs, lost, heartbeats, falseSuspicions] = [0, 0, 0, 0, 0];
  let detectedAfterMs = -1;
  let lastArrivalMs = 0;
  while (detectedAfterMs < 0) {
    if (sendMs <= pollMs && sendMs < endMs) {
      heartbeats++;
      if (lost > 0) lost--;
      else if (random.chance(faults.loss)) lost = random.below(2);
      else {
        // One connection: heartbeats arrive in order.
        lastArrivalMs = Math.max(lastArrivalMs, sendMs - faults.delayMs * Math.log(1 - random.unit()));
        arrivals.push(lastArrivalMs);
      }
      sendMs += limits.heartbeatMs;
      if (random.chance(perEvent(faults.pausesPerHour, limits.heartbeatMs)))
        sendMs += random.unit() * faults.pauseMs;
      continue;
    }
    // A process that resumes runs its timers before it reads its sockets.
    const changes = detector.poll(pollMs);
    if (changes.some(({ suspected }) => suspected)) {
      if (pollMs < endMs) falseSuspicions++;
      else detectedAfterMs = pollMs - endMs;
    }
    while (arrivals.length > 0 && arrivals[0] <= pollMs) {
      detector.hear(2, Math.max(arrivals[0], pollMs - detector.pollMs));
      arrivals.shift();
    }
    pollMs += detector.pollMs;
    if (pollMs < endMs && random.chance(perEvent(faults.pausesPerHour, detector.pollMs)))
      pollMs += random.unit() * faults.pauseMs;
    // The observer runs at the end, when the peer crashes.
    if (pollMs < endMs - MAX_STOPPED_MS && random.chance(perEvent(faults.stopsPerHour, detector.pollMs)))
      pollMs += random.unit() * MAX_STOPPED_MS;
  }
  return { heartbeats, falseSuspicions, detectedAfterMs };
}
