/**
 * The durations of a lease. All deadlines count from before the request was sent. In order:
 *
 *   send … renewEveryMs … stopAfterMs … killAfterMs … ttlMs: the lease ends on the store's clock
 *
 * Between killAfterMs and ttlMs lies the margin for clocks that run at different rates. Durations that the user leaves out
 * are fractions of the TTL. Timings that allow two leaders, or leave no time to repeat a renewal, are refused when the
 * elector is created.
 */
import { InputError, shownValue } from '@hustings/base';

/** All durations of a lease, in milliseconds. */
export interface LeaseTiming {
  /** The length of the lease: another candidate may lead this long after the last renewal. */
  readonly ttlMs: number;
  /** From one renewal to the next. */
  readonly renewEveryMs: number;
  /** A request without an answer counts as failed after this time. It may still take effect. */
  readonly requestTimeoutMs: number;
  /** The work is told to stop this long after the last granted request was sent. */
  readonly stopAfterMs: number;
  /** The work must have stopped by then. Work that still runs is killed, if it can be killed. */
  readonly killAfterMs: number;
  /** The lease is no longer renewed if the work reports no progress for this time; null if it need not report progress. */
  readonly stallAfterMs: number | null;
  /** After a request to stop, the lease is renewed for this time while the work stops. */
  readonly stopGraceMs: number;
  /** A leader yields to a challenger of higher priority when both have waited and led for this time. */
  readonly yieldAfterMs: number;
}

/** A preset or a TTL, and any of the other durations. */
export type TimingOptions = { readonly [Key in keyof LeaseTiming]?: LeaseTiming[Key] | undefined } & {
  readonly preset?: Preset | undefined;
};

/** The TTL of each preset. */
export const PRESETS = { fast: 3_000, normal: 15_000, patient: 60_000 } as const;
/** The name of a preset. */
export type Preset = keyof typeof PRESETS;

/** With a shorter TTL, the process scheduling of a busy machine alone can end a term. */
const MIN_TTL_MS = 500;
/** With a long TTL, an answer that is lost must not delay a candidate for minutes. */
const MAX_REQUEST_MS = 10_000;
const MAX_TTL_MS = 24 * 3_600_000;

export function resolveTiming(options: TimingOptions = {}): LeaseTiming {
  const { preset } = options;
  if (preset !== undefined && !Object.hasOwn(PRESETS, preset)) {
    throw new InputError(`preset must be one of ${Object.keys(PRESETS).join(', ')}, not '${preset}'`);
  }
  if (preset !== undefined && options.ttlMs !== undefined) {
    throw new InputError('preset and ttlMs exclude each other; give one of them');
  }
  const ttlMs = options.ttlMs ?? PRESETS[preset ?? 'normal'];
  checkDuration('ttlMs', ttlMs);
  if (ttlMs < MIN_TTL_MS || ttlMs > MAX_TTL_MS) {
    throw new InputError(`ttlMs must be from ${MIN_TTL_MS} to ${MAX_TTL_MS} (24 hours), not ${ttlMs}`);
  }
  const timing = scaledTiming(ttlMs, options);
  for (const [name, value] of Object.entries(timing)) {
    if (value !== null) checkDuration(name, value);
  }
  refuse(timing);
  return timing;
}

/** The given durations, and for the others their fraction of the TTL. Refuses nothing. */
export function scaledTiming(ttlMs: number, given: TimingOptions = {}): LeaseTiming {
  const share = (fifteenths: number): number => Math.max(1, Math.floor((ttlMs * fifteenths) / 15));
  return {
    ttlMs,
    renewEveryMs: given.renewEveryMs ?? share(3),
    requestTimeoutMs: given.requestTimeoutMs ?? Math.min(share(2), MAX_REQUEST_MS),
    stopAfterMs: given.stopAfterMs ?? share(11),
    killAfterMs: given.killAfterMs ?? share(14),
    stallAfterMs: given.stallAfterMs ?? null,
    stopGraceMs: given.stopGraceMs ?? ttlMs,
    yieldAfterMs: given.yieldAfterMs ?? ttlMs,
  };
}

function checkDuration(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new InputError(`${name} must be a whole number of milliseconds from 1, not ${shownValue(value)}`);
  }
}

function refuse(timing: LeaseTiming): void {
  const { ttlMs, renewEveryMs, requestTimeoutMs, stopAfterMs, killAfterMs } = timing;
  const quarterMs = Math.floor(ttlMs / 4);
  if (renewEveryMs * 4 > ttlMs) {
    throw new InputError(
      `renewEveryMs must be at most a quarter of ttlMs, here ${quarterMs}, not ${renewEveryMs}; ` +
        'otherwise one lost answer ends the term',
    );
  }
  if (requestTimeoutMs * 4 > ttlMs) {
    throw new InputError(
      `requestTimeoutMs must be at most a quarter of ttlMs, here ${quarterMs}, not ${requestTimeoutMs}; ` +
        'otherwise there is no time to ask again',
    );
  }
  if (!(renewEveryMs + requestTimeoutMs < stopAfterMs && stopAfterMs < killAfterMs && killAfterMs < ttlMs)) {
    throw new InputError(
      'the durations must satisfy renewEveryMs + requestTimeoutMs < stopAfterMs < killAfterMs < ttlMs, not ' +
        `${renewEveryMs} + ${requestTimeoutMs}, ${stopAfterMs}, ${killAfterMs}, ${ttlMs}; ` +
        'the work must be told to stop, and be dead, before the lease ends',
    );
  }
  if ((ttlMs - killAfterMs) * 50 < ttlMs) {
    throw new InputError(
      `killAfterMs must be at most 98 % of ttlMs, here ${Math.floor(ttlMs * 0.98)}, not ${killAfterMs}; ` +
        'the rest is the margin for clocks that run at different rates',
    );
  }
}
