/**
 * Leases without an elector: stores by URL, what a store must do, the audit of recorded terms, and `doctor`. Each store has
 * a door of its own, such as `hustings/lease/redis`.
 */
export type { ErrorDetails, HustingsError, Remedy } from '@hustings/base';
export { type Conflict, overlaps } from './audit.ts';
export {
  END_REASONS,
  type EndCause,
  type EndReason,
  LOSS_REASONS,
  type LossReason,
} from './core/end-reason.ts';
export { slotName } from './core/slot.ts';
export { PartialAnswerError, StoreError, type StoreErrorKind } from './core/store-error.ts';
export { defaultStoreUrl } from './default-store.ts';
export { type DoctorReport, doctor } from './doctor/doctor.ts';
export { type Latency, type LeaseTrial, SCRATCH_ELECTION } from './doctor/lease-trial.ts';
export { type ProofExtras, processProof } from './host/process-proof.ts';
export { openStore } from './open-store.ts';
export type * from './store-interface.ts';
export type { DocumentLeaseStore, DocumentStoreOptions } from './stores/document/document-lease-store.ts';
