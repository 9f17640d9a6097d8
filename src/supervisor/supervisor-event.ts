/** What happens to a wrapper, for people and programs that watch it. */
import type { EndReason } from '../lease/core/end-reason.ts';

export type WrapperEvent =
  /** Another holds the lease, or nobody does while it is kept for a successor. */
  | { readonly kind: 'waiting'; readonly holder: string | null; readonly successor: string | null }
  | { readonly kind: 'leading'; readonly token: bigint }
  /** The command is asked to stop, because the wrapper was. */
  | { readonly kind: 'stopping'; readonly signal: NodeJS.Signals }
  /** The command is dead, and the term over. */
  | {
      readonly kind: 'lost';
      readonly token: bigint;
      readonly reason: EndReason | 'guard-lost';
      readonly detail: string;
    }
  /** The store does not do as it should; the wrapper goes on. */
  | { readonly kind: 'store-error'; readonly message: string }
  /** Processes that do not die of SIGKILL. Nothing is released before they do. */
  | { readonly kind: 'undying'; readonly pids: readonly number[] };
