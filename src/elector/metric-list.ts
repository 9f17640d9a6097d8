/** Every metric of an elector, with what it is called and means: for Prometheus and for OpenTelemetry. */
import type { ElectorMetrics } from './elector-metrics.ts';
import type { Histogram } from './histogram.ts';

type Kind = 'gauge' | 'counter' | 'histogram';
type Value = number | bigint | Histogram | ReadonlyMap<string, number>;

export interface Metric {
  readonly name: string;
  readonly kind: Kind;
  readonly help: string;
  /** What the keys of a map are. */
  readonly label?: string;
  value(metrics: ElectorMetrics): Value;
}

export const METRICS: readonly Metric[] = [
  {
    name: 'hustings_is_leader',
    kind: 'gauge',
    help: 'Whether this candidate leads.',
    value: ({ isLeader }) => Number(isLeader),
  },
  {
    name: 'hustings_token',
    kind: 'gauge',
    help: 'The token of the latest term of this candidate.',
    value: ({ token }) => token,
  },
  { name: 'hustings_terms_total', kind: 'counter', help: 'Terms begun.', value: ({ terms }) => terms },
  {
    name: 'hustings_losses_total',
    kind: 'counter',
    help: 'Terms ended, by reason.',
    label: 'reason',
    value: ({ losses }) => losses,
  },
  {
    name: 'hustings_renewals_total',
    kind: 'counter',
    help: 'Renewals granted.',
    value: ({ renewals }) => renewals,
  },
  {
    name: 'hustings_store_errors_total',
    kind: 'counter',
    help: 'Calls that failed or had no answer in time.',
    label: 'kind',
    value: ({ storeErrors }) => storeErrors,
  },
  {
    name: 'hustings_overdue_total',
    kind: 'counter',
    help: 'Terms whose work ran on when the lease was about to end.',
    value: ({ overdue }) => overdue,
  },
  {
    name: 'hustings_leaderless_seconds_total',
    kind: 'counter',
    help: 'Time without a leader, as far as this candidate could see.',
    value: ({ leaderlessSeconds }) => leaderlessSeconds,
  },
  {
    name: 'hustings_fence_rejections_total',
    kind: 'counter',
    help: 'Stale tokens that a sink refused.',
    value: ({ fenceRejections }) => fenceRejections,
  },
  {
    name: 'hustings_store_round_trip_seconds',
    kind: 'histogram',
    help: 'From asking the store to its answer.',
    value: ({ roundTrip }) => roundTrip,
  },
  {
    name: 'hustings_renewal_margin_seconds',
    kind: 'histogram',
    help: 'What was left of the lease when a renewal was granted.',
    value: ({ renewalMargin }) => renewalMargin,
  },
  {
    name: 'hustings_event_loop_lag_seconds',
    kind: 'histogram',
    help: 'How late timers fired.',
    value: ({ eventLoopLag }) => eventLoopLag,
  },
];
