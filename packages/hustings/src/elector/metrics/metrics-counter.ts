/** Counts the events of one elector. */
import { END_REASONS, LOSS_REASONS } from '../../lease/core/end-reason.ts';
import type { StoreErrorKind } from '../../lease/core/store-error.ts';
import type { ElectorStatus } from '../elector-status.ts';
import type { ElectorEvent } from '../events/elector-event.ts';
import type { ElectorMetrics, Histogram } from './elector-metrics.ts';

const ERROR_KINDS: Record<StoreErrorKind | 'timeout', 0> = {
  ...{ unreachable: 0, busy: 0, denied: 0, unprepared: 0, unusable: 0, timeout: 0 },
};
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type Counts = Map<string, number> | null;

export class MetricsCounter implements ElectorMetrics {
  token = 0n;
  terms = 0;
  renewals = 0;
  /** Null until the first is counted: most electors count few. */
  private endedCounts: Counts = null;
  private lossCounts: Counts = null;
  private errorCounts: Counts = null;
  overdue = 0;
  leaderlessSeconds = 0;
  fenceRejections = 0;
  readonly roundTrip = new HistogramCounter(SECONDS);
  readonly renewalMargin = new HistogramCounter(SECONDS);
  readonly eventLoopLag = new HistogramCounter(SECONDS);
  /** Since when nobody is known to lead, on performance.now(); null while a leader is known. */
  private leaderlessSince: number | null = null;
  /** When the newest recorded tick comes due that lay ahead, on performance.now(); null if none does. */
  private tickAheadUntil: number | null = null;
  /** When the lease of the observed leader expires. */
  private observedUntil: number | null = null;

  constructor(
    readonly election: string,
    readonly candidate: string,
    readonly slots: number,
    private readonly status: Pick<ElectorStatus, 'isLeader' | 'stands' | 'overdueMs'>,
  ) {}

  get endedTerms(): ReadonlyMap<string, number> {
    return withZeros(END_REASONS, this.endedCounts);
  }

  get losses(): ReadonlyMap<string, number> {
    return withZeros(LOSS_REASONS, this.lossCounts);
  }

  get storeErrors(): ReadonlyMap<string, number> {
    return withZeros(ERROR_KINDS, this.errorCounts);
  }

  get isLeader(): boolean {
    return this.status.isLeader;
  }

  get stands(): boolean {
    return this.status.stands;
  }

  get overdueSeconds(): number {
    return this.status.overdueMs / 1000;
  }

  get tickAheadSeconds(): number {
    return Math.max(0, (this.tickAheadUntil ?? 0) - performance.now()) / 1000;
  }

  readonly countRejection = (): void => {
    this.fenceRejections++;
  };

  count(event: ElectorEvent): void {
    switch (event.type) {
      case 'elected':
        this.token = event.lead.token;
        this.terms++;
        this.endVacancy(performance.now());
        return;
      case 'renewed':
        this.renewals++;
        this.renewalMargin.add(event.marginMs / 1000);
        return;
      case 'lost':
        this.lossCounts = increment(this.lossCounts, event.reason);
        return;
      case 'overdue':
        this.overdue++;
        return;
      case 'tick-ahead':
        this.tickAheadUntil = performance.now() + event.aheadMs;
        return;
      case 'ended':
        this.tickAheadUntil = null;
        this.endedCounts = increment(this.endedCounts, event.reason);
        this.leaderlessSince = performance.now();
        this.observedUntil = null;
        return;
      case 'waiting':
        if (event.holder !== null) this.observeLeader(performance.now(), event.remainingMs);
        return;
      case 'store-error':
        this.errorCounts = increment(this.errorCounts, event.kind);
        return;
      case 'answered':
        this.roundTrip.add(event.roundTripMs / 1000);
        return;
      case 'late':
        this.eventLoopLag.add(event.lateMs / 1000);
    }
  }

  /** For logs. The token is text because JSON has no bigint; a histogram is its count and its sum. */
  toJSON(): object {
    const { roundTrip, renewalMargin, eventLoopLag, token, endedTerms, losses, storeErrors } = this;
    const { election, candidate, isLeader, stands, terms, renewals, overdue, overdueSeconds } = this;
    const { leaderlessSeconds, tickAheadSeconds, fenceRejections } = this;
    const summary = ({ count, sum }: HistogramCounter): object => ({ count, sum });
    return {
      ...{ election, candidate, isLeader, stands, token: `${token}`, terms, renewals },
      endedTerms: Object.fromEntries(endedTerms),
      losses: Object.fromEntries(losses),
      storeErrors: Object.fromEntries(storeErrors),
      ...{ overdue, overdueSeconds, leaderlessSeconds, tickAheadSeconds, fenceRejections },
      roundTrip: summary(roundTrip),
      renewalMargin: summary(renewalMargin),
      eventLoopLag: summary(eventLoopLag),
    };
  }

  private observeLeader(nowMs: number, remainingMs: number | null): void {
    this.endVacancy(nowMs);
    this.observedUntil = remainingMs === null ? null : nowMs + remainingMs;
  }

  private endVacancy(nowMs: number): void {
    const { observedUntil } = this;
    const since =
      this.leaderlessSince ?? (observedUntil !== null && observedUntil < nowMs ? observedUntil : null);
    if (since !== null) this.leaderlessSeconds += (nowMs - since) / 1000;
    this.leaderlessSince = null;
    this.observedUntil = null;
  }
}

/** A counter that appears with its first increase hides that increase from Prometheus' `rate`. */
function withZeros(keys: object, counts: Counts): ReadonlyMap<string, number> {
  return new Map(Object.keys(keys).map((key) => [key, counts?.get(key) ?? 0]));
}

function increment(counts: Counts, key: string): Counts {
  return (counts ?? new Map()).set(key, (counts?.get(key) ?? 0) + 1);
}

export class HistogramCounter implements Histogram {
  private readonly counts: number[];
  count = 0;
  sum = 0;

  constructor(readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  add(value: number): void {
    this.count++;
    this.sum += value;
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && bounds[bucket] < value) bucket++;
    if (bucket < bounds.length) this.counts[bucket]++;
  }

  cumulative(): number[] {
    let total = 0;
    return this.counts.map((count) => {
      total += count;
      return total;
    });
  }
}
