/**
 * The phi accrual failure detector for one peer: Hayashibara, Défago, Yared, Katayama: The φ accrual failure detector,
 * SRDS 2004. φ is −log10 of the probability that a living peer is silent for as long as this one is now, estimated from
 * the recent gaps between signs of life, as a normal distribution.
 *
 * Guarantees: a peer is never suspected before `floorMs` of silence, and always after `ceilingMs`.
 *
 * What keeps a burst or a pause from spoiling the estimate: signs of life closer than half a heartbeat count as one,
 * because a burst after a stall, or traffic, would otherwise shorten the gaps that are expected. The gap that ends a
 * suspicion is not a sample. The deviation has a lower limit, because a quiet network has almost none. Before there are
 * samples, the heartbeat interval is the expected gap. Delays of real networks have longer tails than a normal
 * distribution, so a silence shorter than twice the longest remembered gap is not suspicious either.
 */
import { InputError } from '@hustings/study/kernel';

/** When a silent peer is suspected. */
export interface DetectorOptions {
  /** A peer that has nothing to send sends a heartbeat this often. */
  readonly heartbeatMs: number;
  /** φ from which a peer is suspected; 8 by default: one wrong suspicion in 10^8 gaps, if gaps were normal. */
  readonly threshold?: number | undefined;
  /** Silence that is never suspicious; 5 heartbeats by default. It covers pauses that come without a warning. */
  readonly floorMs?: number | undefined;
  /** Silence that is always suspicious; 20 heartbeats by default. */
  readonly ceilingMs?: number | undefined;
  /** The number of gaps that are remembered; 200 by default. */
  readonly samples?: number | undefined;
}

/** Every limit filled in. */
export type DetectorLimits = { readonly [K in keyof DetectorOptions]-?: number };

/** Fills in the defaults, and refuses limits that exclude each other. */
export function detectorLimits(options: DetectorOptions): DetectorLimits {
  const { heartbeatMs } = options;
  const limits = {
    heartbeatMs,
    threshold: options.threshold ?? 8,
    floorMs: options.floorMs ?? 5 * heartbeatMs,
    ceilingMs: options.ceilingMs ?? 20 * heartbeatMs,
    samples: options.samples ?? 200,
  };
  for (const [name, value] of Object.entries(limits)) {
    if (!(value > 0 && Number.isFinite(value)))
      throw new InputError(`${name} must be a positive number, not ${value}`);
  }
  if (limits.floorMs < heartbeatMs || limits.ceilingMs < limits.floorMs) {
    throw new InputError(
      `heartbeatMs ≤ floorMs ≤ ceilingMs must hold, not ${heartbeatMs}, ${limits.floorMs}, ${limits.ceilingMs}`,
    );
  }
  return limits;
}

/** The suspicion of one peer. All times are milliseconds of one monotonic clock. */
export class PhiAccrual {
  private readonly limits: DetectorLimits;
  /** A ring buffer of gaps, with their sums. */
  private readonly gaps: Float64Array;
  private count = 0;
  private sum = 0;
  private squares = 0;
  private lastMs: number;
  /** The sign of life that began the present gap. */
  private gapFromMs: number | null = null;

  constructor(limits: DetectorLimits, nowMs: number) {
    this.limits = limits;
    this.gaps = new Float64Array(limits.samples);
    this.lastMs = nowMs;
  }

  /** A sign of life. */
  hear(nowMs: number): void {
    if (this.gapFromMs === null || this.suspects(nowMs)) this.gapFromMs = nowMs;
    else if (nowMs - this.gapFromMs >= this.limits.heartbeatMs / 2) {
      this.add(nowMs - this.gapFromMs);
      this.gapFromMs = nowMs;
    }
    this.lastMs = Math.max(this.lastMs, nowMs);
  }

  /** This process did not run for a while: what it did not hear in that time says nothing about the peer. */
  forgive(pauseMs: number): void {
    this.lastMs += pauseMs;
    // The gap that is under way contains the pause.
    this.gapFromMs = null;
  }

  /** The level of suspicion: each unit is a factor of ten. */
  phi(nowMs: number): number {
    const { heartbeatMs } = this.limits;
    const n = Math.min(this.count, this.gaps.length);
    const mean = n === 0 ? heartbeatMs : this.sum / n;
    const variance = n === 0 ? 0 : Math.max(0, this.squares / n - mean * mean);
    const deviation = Math.max(Math.sqrt(variance), heartbeatMs / 4);
    return negLog10Tail((nowMs - this.lastMs - mean) / deviation);
  }

  /** Whether the suspicion has reached its threshold. */
  suspects(nowMs: number): boolean {
    const silentMs = nowMs - this.lastMs;
    const { ceilingMs, floorMs, threshold } = this.limits;
    if (silentMs < floorMs) return false;
    // A peer that was never heard has no gaps: it may be starting.
    if (silentMs >= ceilingMs) return true;
    return this.count > 0 && this.phi(nowMs) >= threshold && silentMs >= 2 * this.longestGap();
  }

  private longestGap(): number {
    return this.gaps.reduce((longest, gap) => Math.max(longest, gap), 0);
  }

  private add(gapMs: number): void {
    const place = this.count % this.gaps.length;
    const old = this.gaps[place];
    this.gaps[place] = gapMs;
    this.sum += gapMs - old;
    this.squares += gapMs * gapMs - old * old;
    this.count++;
  }
}

/** Terms of the continued fraction: 60 give more than nine digits from z = 2 on. */
const TAIL_TERMS = 60;

/** −log10 of the probability that a standard normal variable exceeds z: a scale that does not underflow. */
export function negLog10Tail(z: number): number {
  const logDensity = (-z * z) / 2 - Math.log(2 * Math.PI) / 2;
  if (z < 2) return -Math.log10(smallTail(z, Math.exp(logDensity)));
  // Laplace: Q(z) = density / (z + 1/(z + 2/(z + 3/(z + …)))).
  let fraction = z;
  for (let k = TAIL_TERMS; k >= 1; k--) fraction = z + k / fraction;
  return (Math.log(fraction) - logDensity) / Math.LN10;
}

/** Q(z) = 1/2 − density · (z + z³/3 + z⁵/15 + …); below −2 by symmetry. */
function smallTail(z: number, density: number): number {
  if (z < -2) return 1 - 10 ** -negLog10Tail(-z);
  let [term, sum] = [z, z];
  for (let k = 3; k < TAIL_TERMS; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return 0.5 - density * sum;
}
