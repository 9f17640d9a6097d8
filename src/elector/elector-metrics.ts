/** Counts what happens to one elector, for Prometheus, OpenTelemetry, or whoever asks. */
import type { ElectorEvent } from './elector-event.ts';
import { Histogram } from './histogram.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export class ElectorMetrics {
  isLeader = false;
  /** Of the current term, or the latest; 0 before the first. */
  token = 0n;
  terms = 0;
  renewals = 0;
  /** Calls that failed or had no answer in time, by kind. */
  readonly storeErrors = new Map<string, number>();
  /** Terms that ended, by reason. */
  readonly losses = new Map<string, number>();
  /** The work ran on when its lease was about to end. */
  overdue = 0;
  /** As far as this candidate could see. */
  leaderlessSeconds = 0;
  /** Stale tokens that sinks refused, as far as they were told of here. */
  fenceRejections = 0;
  readonly roundTrip = new Histogram(SECONDS);
  /** What was left of the lease when a renewal came. */
  readonly renewalMargin = new Histogram(SECONDS);
  readonly eventLoopLag = new Histogram(SECONDS);
  /** Since when nobody is known to lead, by performance.now(); null while somebody is. */
  private leaderlessSince: number | null = null;
  private seenUntil: number | null = null;

  constructor(
    readonly election: string,
    readonly candidate: string,
  ) {}

  /** To be given to a fence as its `onRejected`. */
  readonly countRejection = (): void => {
    this.fenceRejections++;
  };

  take(event: ElectorEvent, nowMs = performance.now()): void {
    switch (event.type) {
      case 'elected':
        this.isLeader = true;
        this.token = event.lead.token;
        this.terms++;
        this.endVacancy(nowMs);
        return;
      case 'renewed':
        this.renewals++;
        this.renewalMargin.add(event.marginMs / 1000);
        return;
      case 'stopping':
        this.isLeader = false;
        add(this.losses, event.reason);
        return;
      case 'overdue':
        this.overdue++;
        return;
      case 'ended':
        this.leaderlessSince = nowMs;
        this.seenUntil = null;
        return;
      case 'waiting':
        if (event.holder !== null) this.see(nowMs, event.remainingMs);
        return;
      case 'store-error':
        add(this.storeErrors, event.kind);
        return;
      case 'answered':
        this.roundTrip.add(event.roundTripMs / 1000);
        return;
      case 'late':
        this.eventLoopLag.add(event.lateMs / 1000);
    }
  }

  private see(nowMs: number, remainingMs: number | null): void {
    this.endVacancy(nowMs);
    this.seenUntil = remainingMs === null ? null : nowMs + remainingMs;
  }

  private endVacancy(nowMs: number): void {
    const since =
      this.leaderlessSince ?? (this.seenUntil !== null && this.seenUntil < nowMs ? this.seenUntil : null);
    if (since !== null) this.leaderlessSeconds += (nowMs - since) / 1000;
    this.leaderlessSince = null;
    this.seenUntil = null;
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
