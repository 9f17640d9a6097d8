/** Why a term ended, as the work is told by its signal and as the audit trail keeps it. */

export const LOSS_REASONS = {
  released: 'the work was done, or the candidate was asked to stop',
  expired: 'the store says that the lease is over',
  'renew-timeout': 'the store did not answer in time',
  'store-unreachable': 'the store could not be reached',
  evicted: 'an operator forbade the renewal',
  transferred: 'leadership was handed to another candidate',
  suspended: 'the process did not run: its event loop was blocked, it was stopped, or the machine slept',
  stalled: 'the work made no progress: no beat came in time',
} as const;

export type LossReason = keyof typeof LOSS_REASONS;

/** What only those who come after can know of a term that nobody ended: its holder was gone, or time ran out. */
export type EndCause = LossReason | 'gone';
