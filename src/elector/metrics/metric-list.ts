/** The metrics of an elector, with their names, types and help texts for Prometheus and OpenTelemetry. */
import type { ElectorMetrics, Histogram } from './elector-metrics.ts';

type Value = number | bigint | Histogram | ReadonlyMap<string, number>;

export interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  /** The name of the label whose values are the keys of a map. */
  readonly label?: string;
  value(metrics: ElectorMetrics): Value;
}

export const METRICS: readonly Metric[] = [
  {
    name: 'hustings_is_leader',
    type: 'gauge',
    help: 'Whether this candidate leads.',
    value: ({ isLeader }) => Number(isLeader),
  },
  {
    name: 'hustings_stands',
    type: 'gauge',
    help: 'Whether this candidate takes part: it waits for leadership, or leads.',
    value: ({ stands }) => Number(stands),
  },
  {
    name: 'hustings_token',
    type: 'gauge',
    help: 'Fencing token of the latest term of this candidate.',
    value: ({ token }) => token,
  },
  { name: 'hustings_terms_total', type: 'counter', help: 'Terms begun.', value: ({ terms }) => terms },
  {
    name: 'hustings_terms_ended_total',
    type: 'counter',
    help: 'Terms ended, by reason.',
    label: 'reason',
    value: ({ endedTerms }) => endedTerms,
  },
  {
    name: 'hustings_losses_total',
    type: 'counter',
    help: 'Leases lost, not by choice, by reason.',
    label: 'reason',
    value: ({ losses }) => losses,
  },
  {
    name: 'hustings_renewals_total',
    type: 'counter',
    help: 'Renewals granted.',
    value: ({ renewals }) => renewals,
  },
  {
    name: 'hustings_store_errors_total',
    type: 'counter',
    help: 'Calls to the store that failed or timed out, by kind.',
    label: 'kind',
    value: ({ storeErrors }) => storeErrors,
  },
  {
    name: 'hustings_overdue_total',
    type: 'counter',
    help: 'Terms whose work was still running when the lease was about to expire.',
    value: ({ overdue }) => overdue,
  },
  {
    name: 'hustings_overdue_seconds',
    type: 'gauge',
    help: 'For how long work has run past its deadline; 0 if none does.',
    value: ({ overdueSeconds }) => overdueSeconds,
  },
  {
    name: 'hustings_leaderless_seconds_total',
    type: 'counter',
    help: 'Time without a leader, as far as this candidate could observe.',
    value: ({ leaderlessSeconds }) => leaderlessSeconds,
  },
  {
    name: 'hustings_fence_rejections_total',
    type: 'counter',
    help: 'Fencing tokens that a resource refused.',
    value: ({ fenceRejections }) => fenceRejections,
  },
  {
    name: 'hustings_store_round_trip_seconds',
    type: 'histogram',
    help: 'Time from a call to the store until its answer.',
    value: ({ roundTrip }) => roundTrip,
  },
  {
    name: 'hustings_renewal_margin_seconds',
    type: 'histogram',
    help: 'Time left of the lease when a renewal was granted.',
    value: ({ renewalMargin }) => renewalMargin,
  },
  {
    name: 'hustings_event_loop_lag_seconds',
    type: 'histogram',
    help: 'Delay of timers.',
    value: ({ eventLoopLag }) => eventLoopLag,
  },
];
