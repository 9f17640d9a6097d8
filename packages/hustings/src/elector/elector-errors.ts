/** The errors that an elector rejects with. */
import { HustingsError } from '@hustings/base';
import { END_REASONS, type EndReason } from '../lease/core/end-reason.ts';
import type { LeadTerm } from './lead.ts';

/** The work must stop: the reason of `lead.signal`, and the error of `lead.assert`. */
export class LeaseLostError extends HustingsError {
  /** Null if the lease is still held, with less left than an assert needs. */
  readonly reason: EndReason | null;

  /** `detail` explains the reason in a sentence. */
  constructor({ name, token }: Pick<LeadTerm, 'name' | 'token'>, reason: EndReason | null, detail: string) {
    const state = reason === null ? 'is about to end' : `has ended (${reason})`;
    super(`term ${token} of '${name}' ${state}: ${detail}`, { code: 'HUSTINGS_LEASE_LOST' });
    this.reason = reason;
  }
}

/** Where there is no store. */
const CLUSTER_REASONS: Partial<Record<EndReason, string>> = {
  transferred: 'another elector of this member has ended the term, or the cluster is closed',
  expired: 'this member no longer leads',
  'renew-timeout': 'no majority has supported this member for a while',
};

export function explainEnd(
  reason: EndReason,
  { idleMs, cpuMs }: { readonly idleMs: number; readonly cpuMs: number },
  isCluster: boolean,
): string {
  if (reason !== 'suspended') return (isCluster && CLUSTER_REASONS[reason]) || END_REASONS[reason];
  // A blocked event loop consumes the processor, perhaps a small share of it; a suspended process consumes nothing.
  const isBusy = cpuMs * 20 > idleMs;
  const why = isBusy
    ? 'its event loop was blocked'
    : 'it was suspended, or the machine slept, or its clock was set';
  return `the process did not run for ${idleMs} ms: ${why}`;
}

/** The candidate did not become leader in the time that the caller gave. */
export class AcquireTimeoutError extends HustingsError {
  /** `holder` held the lease when the store was last asked; `storeError` is its error, if it failed. */
  constructor(name: string, timeoutMs: number, holder: string | null, storeError: unknown) {
    // Reserved for a successor, held at least for a time, or kept free by a store that has restarted.
    const state = holder === null ? 'the store keeps its lease free for now' : `it is held by '${holder}'`;
    const why =
      storeError instanceof Error ? storeError.message : `${state}; wait longer, or read its history`;
    super(`did not become leader of '${name}' within ${timeoutMs} ms: ${why}`, {
      code: 'HUSTINGS_ACQUIRE_TIMEOUT',
      cause: storeError ?? undefined,
    });
  }
}

/** The elector was closed before or during the call. */
export class ElectorClosedError extends HustingsError {
  /** `name` is the election. */
  constructor(name: string) {
    super(`the elector of '${name}' was closed; create a new one`, { code: 'HUSTINGS_ELECTOR_CLOSED' });
  }
}
