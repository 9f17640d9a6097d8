/** Why work must stop: the reason of `lead.signal`, and what `lead.assert` throws. */
import { HustingsError } from '../errors/hustings-error.ts';
import { END_REASONS, type EndReason } from '../lease/core/end-reason.ts';

interface LostTerm {
  readonly name: string;
  readonly token: bigint;
}

export class LeaseLostError extends HustingsError {
  /** Null if the lease is still held, with less left of it than was asked for. */
  readonly reason: EndReason | null;

  constructor({ name, token }: LostTerm, reason: EndReason | null, detail: string) {
    const what = reason === null ? 'is about to end' : `is over (${reason})`;
    super(`term ${token} of '${name}' ${what}: ${detail}`, { code: 'HUSTINGS_LEASE_LOST' });
    this.reason = reason;
  }

  static tooLittle(term: LostTerm, remainingMs: number, needMs: number): LeaseLostError {
    return new LeaseLostError(term, null, `${remainingMs} ms are left, ${needMs} ms are needed`);
  }
}

export function explainLoss(reason: EndReason, idleMs: number, cpuMs: number): string {
  if (reason !== 'suspended') return END_REASONS[reason];
  // A loop that is blocked takes what the machine gives it, which may be little; a process that is stopped takes nothing.
  const busy = cpuMs * 20 > idleMs;
  const why = busy
    ? 'its event loop was blocked'
    : 'it was stopped, or the machine slept, or its clock was set';
  return `the process did not run for ${idleMs} ms: ${why}`;
}

/** What stood in the way: another candidate, or a store that does not serve. */
interface Obstacle {
  readonly holder: string | null;
  readonly storeError: unknown;
}

/** A lease was not to be had in the time that the caller gave. */
export class AcquireTimeoutError extends HustingsError {
  constructor(name: string, timeoutMs: number, { holder, storeError }: Obstacle) {
    const who = holder === null ? 'the store did not grant it' : `it is held by '${holder}'`;
    const why =
      storeError instanceof Error ? storeError.message : `${who}: wait longer, or look at its history`;
    super(`expected to lead '${name}' within ${timeoutMs} ms, but ${why}`, {
      code: 'HUSTINGS_ACQUIRE_TIMEOUT',
      cause: storeError ?? undefined,
    });
  }
}

/** The elector was closed while somebody waited to lead. */
export class ElectorClosedError extends HustingsError {
  constructor(name: string) {
    super(`expected to lead '${name}', but the elector was closed meanwhile: make a new one`, {
      code: 'HUSTINGS_ELECTOR_CLOSED',
    });
  }
}
