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

export interface Timing {
  /** The lease: so long after its last renewal another may lead. */
  readonly ttlMs: number;
  /** From one renewal to the next. */
  readonly renewMs: number;
  /** A request without an answer counts as failed, though it may still take effect. */
  readonly requestMs: number;
  /** The work is told to stop. */
  readonly softMs: number;
  /** The work must have stopped: whatever still runs is killed, where it can be. */
  readonly hardMs: number;
  /** The longest that work may run without a beat before it is no longer renewed; null if it need not beat. */
  readonly beatMs: number | null;
  /** After a wish to stop, the lease is renewed for so long while the work comes to its end. */
  readonly graceMs: number;
  /** A rival of higher priority must have waited, and the leader have led, for so long before the leader yields. */
  readonly yieldAfterMs: number;
}

export type TimingOptions = { readonly [Key in keyof Timing]?: Timing[Key] | undefined } & {
  readonly preset?: Preset | undefined;
};

export const PRESETS = { fast: 3_000, normal: 15_000, patient: 60_000 } as const;
export type Preset = keyof typeof PRESETS;

/** Below this, a busy machine's scheduling of processes alone can take a term away. */
const LEAST_TTL_MS = 500;
const MOST_TTL_MS = 24 * 3_600_000;

export function resolveTiming(options: TimingOptions = {}): Timing {
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
export function scaledTiming(ttlMs: number, given: TimingOptions = {}): Timing {
  const share = (fifteenths: number): number => Math.max(1, Math.floor((ttlMs * fifteenths) / 15));
  return {
    ttlMs,
    renewMs: given.renewMs ?? share(3),
    requestMs: given.requestMs ?? share(2),
    softMs: given.softMs ?? share(11),
    hardMs: given.hardMs ?? share(14),
    beatMs: given.beatMs ?? null,
    graceMs: given.graceMs ?? ttlMs,
    yieldAfterMs: given.yieldAfterMs ?? ttlMs,
  };
}

function checkDuration(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new InputError(`expected ${name} to be a whole number of milliseconds above 0, got ${value}`);
  }
}

function refuse({ ttlMs, renewMs, requestMs, softMs, hardMs }: Timing): void {
  if (renewMs * 4 > ttlMs) {
    throw new InputError(
      `expected at least 4 renewals in a ttl of ${ttlMs} ms, got one each ${renewMs} ms: one lost answer would ` +
        `end the term; set renewMs to at most ${Math.floor(ttlMs / 4)}, or a longer ttl`,
    );
  }
  if (requestMs * 4 > ttlMs) {
    throw new InputError(
      `expected a request time-out of at most a quarter of the ttl of ${ttlMs} ms, got ${requestMs} ms: there ` +
        `would be no time to ask again; set requestMs to at most ${Math.floor(ttlMs / 4)}, or a longer ttl`,
    );
  }
  if (!(renewMs + requestMs < softMs && softMs < hardMs && hardMs < ttlMs)) {
    throw new InputError(
      `expected renewMs + requestMs < softMs < hardMs < ttlMs, got ${renewMs} + ${requestMs}, ${softMs}, ${hardMs}, ` +
        `${ttlMs}: the work must be told to stop, and be dead, before the lease ends`,
    );
  }
  const marginMs = ttlMs - hardMs;
  if (marginMs * 50 < ttlMs) {
    throw new InputError(
      `expected hardMs to leave a fiftieth of the ttl of ${ttlMs} ms for clocks that differ, got ${marginMs} ms: ` +
        `set hardMs to at most ${Math.floor(ttlMs * 0.98)}`,
    );
  }
}
