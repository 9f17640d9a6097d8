/** What happens to a wrapper, for people and programs that watch it. */
import type { LossReason } from '../lease/core/loss.ts';

export type WrapperEvent =
  /** Another holds the lease, or it is kept for an heir; null if neither is known. */
  | { readonly kind: 'waiting'; readonly holder: string | null }
  | { readonly kind: 'leading'; readonly token: bigint }
  | { readonly kind: 'stopping'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'lost'; readonly token: bigint; readonly reason: LossReason | 'guard-lost' }
  /** The lease is given back; the command had ended before. */
  | { readonly kind: 'released'; readonly token: bigint }
  /** The store does not do as it should; the wrapper goes on. */
  | { readonly kind: 'trouble'; readonly message: string }
  /** Processes that do not die of SIGKILL. Nothing is released before they do. */
  | { readonly kind: 'undying'; readonly pids: readonly number[] };
