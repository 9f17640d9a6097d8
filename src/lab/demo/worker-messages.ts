/** What the demo and its processes tell each other. */

/** The first argument of a process, as JSON. */
export interface WorkerConfig {
  readonly id: string;
  readonly name: string;
  readonly store: string;
  readonly ttlMs: number;
  /** Between the check of the lease and the write, and again between the write and the next check. */
  readonly stepMs: number;
  readonly ledger: string;
  readonly file: string;
}

export type ToWorker =
  /** Wait to be stopped at the next point at which a leader has checked its lease and has not yet written. */
  { readonly type: 'pause' } | { readonly type: 'block'; readonly blocked: boolean };

export type FromWorker =
  /** The process waits to be stopped. */
  | { readonly type: 'stoppable' }
  | { readonly type: 'working'; readonly token: string | null }
  | { readonly type: 'renewed'; readonly atMs: number }
  /** An entry is in at least one of the resources. */
  | { readonly type: 'wrote' }
  | { readonly type: 'refused'; readonly token: string; readonly entry: number; readonly atMs: number };

export type ToKeeper =
  | { readonly type: 'watch'; readonly pid: number; readonly startTicks: number | null }
  | { readonly type: 'forget'; readonly pid: number };
