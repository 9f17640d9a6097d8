/**
 * How long everything takes. All deadlines count from before the request was sent. In order:
 *
 *   send … renew … soft: the work is told to stop … hard: it is killed … ttl: the lease ends by the store's clock
 *
 * Between hard and ttl lies the margin, for clocks that do not run at the same rate. Durations that the user leaves
 * out are shares of the ttl. Whatever could leave two leaders, or no time to try a renewal again, is refused when the
 * elector is made.
 */
import { InputError } from '../../errors/hustings-error.ts';

export interface LeaseTiming {
  /** The lease: so long after its last renewal another may lead. */
  readonly ttlMs: number;
  /** From one renewal to the next. */
  readonly renewEveryMs: number;
  /** A request without an answer counts as failed, though it may still take effect. */
  readonly requestTimeoutMs: number;
  /** The work is told to stop. */
  readonly stopAfterMs: number;
  /** The work must have stopped: whatever still runs is killed, where it can be. */
  readonly killAfterMs: number;
  /** The longest that work may run without a beat before it is no longer renewed; null if it need not beat. */
  readonly stallAfterMs: number | null;
  /** After a wish to stop, the lease is renewed for so long while the work comes to its end. */
  readonly stopGraceMs: number;
  /** A challenger of higher priority must have waited, and the leader have led, for so long before the leader yields. */
  readonly yieldAfterMs: number;
}

export type TimingOptions = { readonly [Key in keyof LeaseTiming]?: LeaseTiming[Key] | undefined } & {
  readonly preset?: Preset | undefined;
};

export const PRESETS = { fast: 3_000, normal: 15_000, patient: 60_000 } as const;
export type Preset = keyof typeof PRESETS;

/** Below this, a busy machine's scheduling of processes alone can take a term away. */
const LEAST_TTL_MS = 500;
const MOST_TTL_MS = 24 * 3_600_000;

export function resolveTiming(options: TimingOptions = {}): LeaseTiming {
  const { preset } = options;
  if (preset !== undefined && !Object.hasOwn(PRESETS, preset)) {
    throw new InputError(`expected one of the presets ${Object.keys(PRESETS).join(', ')}, got '${preset}'`);
  }
  if (preset !== undefined && options.ttlMs !== undefined) {
    throw new InputError(`expected a preset or a ttl, got both: leave out '${preset}' or ttlMs`);
  }
  const ttlMs = options.ttlMs ?? PRESETS[preset ?? 'normal'];
  checkDuration('ttlMs', ttlMs);
  if (ttlMs < LEAST_TTL_MS || ttlMs > MOST_TTL_MS) {
    throw new InputError(`expected a ttl from ${LEAST_TTL_MS} ms to 24 hours, got ${ttlMs} ms`);
  }
  const timing = scaledTiming(ttlMs, options);
  for (const [name, value] of Object.entries(timing)) {
    if (value !== null) checkDuration(name, value);
  }
  refuse(timing);
  return timing;
}

/** The given durations, and for the others their share of the ttl; nothing is refused. */
export function scaledTiming(ttlMs: number, given: TimingOptions = {}): LeaseTiming {
  const share = (fifteenths: number): number => Math.max(1, Math.floor((ttlMs * fifteenths) / 15));
  return {
    ttlMs,
    renewEveryMs: given.renewEveryMs ?? share(3),
    requestTimeoutMs: given.requestTimeoutMs ?? share(2),
    stopAfterMs: given.stopAfterMs ?? share(11),
    killAfterMs: given.killAfterMs ?? share(14),
    stallAfterMs: given.stallAfterMs ?? null,
    stopGraceMs: given.stopGraceMs ?? ttlMs,
    yieldAfterMs: given.yieldAfterMs ?? ttlMs,
  };
}

function checkDuration(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new InputError(`expected ${name} to be a whole number of milliseconds above 0, got ${value}`);
  }
}

function refuse({ ttlMs, renewEveryMs, requestTimeoutMs, stopAfterMs, killAfterMs }: LeaseTiming): void {
  if (renewEveryMs * 4 > ttlMs) {
    throw new InputError(
      `expected at least 4 renewals in a ttl of ${ttlMs} ms, got one each ${renewEveryMs} ms: one lost answer would ` +
        `end the term; set renewEveryMs to at most ${Math.floor(ttlMs / 4)}, or a longer ttl`,
    );
  }
  if (requestTimeoutMs * 4 > ttlMs) {
    throw new InputError(
      `expected a request timeout of at most a quarter of the ttl of ${ttlMs} ms, got ${requestTimeoutMs} ms: there ` +
        `would be no time to ask again; set requestTimeoutMs to at most ${Math.floor(ttlMs / 4)}, or a longer ttl`,
    );
  }
  if (!(renewEveryMs + requestTimeoutMs < stopAfterMs && stopAfterMs < killAfterMs && killAfterMs < ttlMs)) {
    throw new InputError(
      `expected renewEveryMs + requestTimeoutMs < stopAfterMs < killAfterMs < ttlMs, got ${renewEveryMs} + ${requestTimeoutMs}, ${stopAfterMs}, ${killAfterMs}, ` +
        `${ttlMs}: the work must be told to stop, and be dead, before the lease ends`,
    );
  }
  const marginMs = ttlMs - killAfterMs;
  if (marginMs * 50 < ttlMs) {
    throw new InputError(
      `expected killAfterMs to leave a fiftieth of the ttl of ${ttlMs} ms for clocks that differ, got ${marginMs} ms: ` +
        `set killAfterMs to at most ${Math.floor(ttlMs * 0.98)}`,
    );
  }
}
