/** Why a term ended, as the work is told through its signal and as the audit trail records it. */

/** Losses that the candidate did not choose, each with its explanation. */
export const LOSS_REASONS = {
  expired: 'the lease has expired in the store',
  'renew-timeout': 'the store did not answer in time',
  'store-unreachable': 'the store could not be reached',
  evicted: 'an operator evicted the leader',
  suspended: 'the process did not run: its event loop was blocked, it was stopped, or the machine slept',
  stalled: 'the work reported no progress in time',
} as const;

/** Why a candidate lost its lease. */
export type LossReason = keyof typeof LOSS_REASONS;

/** All reasons for the end of a term, each with its explanation. */
export const END_REASONS = {
  released: 'the work was done, or the candidate was asked to stop',
  transferred: 'leadership was handed to another candidate',
  ...LOSS_REASONS,
} as const;

/** Why a term ended. */
export type EndReason = keyof typeof END_REASONS;

export function isLoss(reason: EndReason): reason is LossReason {
  return Object.hasOwn(LOSS_REASONS, reason);
}

/** gone: the process of the holder ended without a release, as its successor proved. */
export type EndCause = EndReason | 'gone';

const CAUSES: Readonly<Record<EndCause, string>> = {
  ...END_REASONS,
  expired: 'the holder did not renew the lease in time',
  gone: 'the process of the holder was dead, as its successor proved',
};

/** Why a term ended, for people. A store may have been written by a newer version. */
export function explainCause(cause: EndCause): string {
  return CAUSES[cause] ?? 'a cause that this version does not know';
}
