/** The events of a supervisor, for logs and programs. The words are those of the elector's events. */
import type { EndReason, LossReason } from '../lease/core/end-reason.ts';

export type SupervisorEvent =
  /**
   * Another candidate leads; or the lease is reserved for `successor`; or, if both are null, the store grants nobody the lease
   * for `remainingMs`. `token` is that of the latest term that the store knows, 0 if it knows none.
   */
  | {
      readonly type: 'waiting';
      readonly holder: string | null;
      readonly successor: string | null;
      readonly token: bigint;
      readonly remainingMs: number | null;
    }
  /** A term has begun, and the command starts. */
  | { readonly type: 'elected'; readonly token: bigint }
  /** The supervisor received a signal and stops the command. */
  | { readonly type: 'stopping'; readonly signal: NodeJS.Signals }
  /** The lease was lost, not by choice, and the command is dead. */
  | {
      readonly type: 'lost';
      readonly token: bigint;
      readonly reason: LossReason | 'guard-lost';
      readonly detail: string;
    }
  /** The term has ended, the command is dead, and the lease is released unless it was lost. */
  | { readonly type: 'ended'; readonly token: bigint; readonly reason: EndReason | 'guard-lost' }
  /** The command of a tick starts. */
  | { readonly type: 'tick-started'; readonly tickMs: number }
  /** The command of a tick is dead; `message` says why a tick failed. */
  | {
      readonly type: 'tick-ended';
      readonly tickMs: number;
      readonly state: 'completed' | 'failed' | 'interrupted';
      readonly message: string | null;
    }
  /** The installation is likely to be wrong. */
  | { readonly type: 'warning'; readonly message: string }
  /** A call to the store failed or timed out. The supervisor retries. */
  | { readonly type: 'store-error'; readonly message: string }
  /** SIGKILL does not end these processes. The lease is not released before they are dead. */
  | { readonly type: 'unkillable'; readonly pids: readonly number[] };
