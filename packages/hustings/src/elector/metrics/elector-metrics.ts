/** What an elector counts. `prometheusText` and `observeElector` export it. */
/** Counters and histograms of one elector, since it was created. */
export interface ElectorMetrics {
  /** The name of the election. */
  readonly election: string;
  /** The `id` option, or the host name: without the PID, so that a restart continues the series. */
  readonly candidate: string;
  /** How many candidates may lead at once: the `slots` option. */
  readonly slots: number;
  /** Whether this candidate leads now, by the clocks. */
  readonly isLeader: boolean;
  /** Whether this candidate takes part in the election: it waits for leadership, or leads. */
  readonly stands: boolean;
  /** The token of the current term, or of the latest; 0 before the first. */
  readonly token: bigint;
  /** Terms begun. */
  readonly terms: number;
  /** Terms ended, by reason. */
  readonly endedTerms: ReadonlyMap<string, number>;
  /** Leases lost, not by choice, by reason. */
  readonly losses: ReadonlyMap<string, number>;
  /** Renewals granted. */
  readonly renewals: number;
  /** Calls to the store that failed or timed out, by kind. */
  readonly storeErrors: ReadonlyMap<string, number>;
  /** Terms whose work was still running when the lease was about to expire. */
  readonly overdue: number;
  /** For how long work has run past its deadline; 0 if none does. */
  readonly overdueSeconds: number;
  /** Time without a leader, as far as this candidate could observe. */
  readonly leaderlessSeconds: number;
  /** How far ahead of the store's clock the newest recorded tick lies, if by more than a period; 0 otherwise. */
  readonly tickAheadSeconds: number;
  /** Refusals by fences that report to `countRejection`. */
  readonly fenceRejections: number;
  /** Seconds from a call to the store until its answer. */
  readonly roundTrip: Histogram;
  /** Seconds left of the lease when a renewal was granted. */
  readonly renewalMargin: Histogram;
  /** Seconds by which timers were late. */
  readonly eventLoopLag: Histogram;
  /** Pass it to a fence as `onRejected`. It may be called without its object. */
  readonly countRejection: () => void;
}

/** A Prometheus histogram: counts values at or below each bound. */
export interface Histogram {
  /** Ascending. */
  readonly bounds: readonly number[];
  readonly count: number;
  readonly sum: number;
  /** For each bound, the number of values at or below it. */
  cumulative(): number[];
}
