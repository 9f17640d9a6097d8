/** The status of a member in the text format of Prometheus. */
import type { ClusterNodeStatus } from './node-status.ts';

export function nodeMetrics(status: ClusterNodeStatus): string {
  const {
    algorithm,
    certificateUntilMs,
    cluster,
    connected,
    counts,
    hears,
    id,
    leader,
    leads,
    state,
    term,
    token,
    traffic,
  } = status;
  const own = `cluster="${cluster}",member="${id}"`;
  const sent = Object.entries(counts.sent);
  const lines = (
    name: string,
    type: 'counter' | 'gauge',
    help: string,
    ...samples: readonly (readonly [labels: string, value: number])[]
  ): string[] => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}{${own}${labels}} ${value}`),
  ];
  return [
    ...lines('hustings_member_up', 'gauge', 'Whether the member takes part.', [
      `,algorithm="${algorithm}"`,
      state === 'stopped' ? 0 : 1,
    ]),
    ...lines('hustings_member_leads', 'gauge', 'Whether this member leads.', ['', leads ? 1 : 0]),
    ...lines('hustings_member_has_leader', 'gauge', 'Whether it knows a leader.', [
      '',
      leader === null ? 0 : 1,
    ]),
    ...lines('hustings_member_term', 'gauge', 'Its epoch, or the term of its algorithm.', ['', term]),
    ...lines('hustings_member_token', 'gauge', 'The token of the leader; 0 without one.', ['', token ?? 0]),
    ...lines('hustings_member_hears', 'gauge', 'Members that are not suspected.', ['', hears.length]),
    ...lines('hustings_member_connected', 'gauge', 'Members with a connection.', ['', connected.length]),
    ...lines(
      'hustings_member_sent_total',
      'counter',
      'Messages of the algorithm that were sent.',
      ...sent.map(([type, count]) => [`,type="${type}"`, count] as const),
    ),
    ...(['received', 'stale', 'refused', 'undelivered', 'resets', 'suspicions', 'lapses'] as const).flatMap(
      (name) => lines(`hustings_member_${name}_total`, 'counter', HELP[name], ['', counts[name]]),
    ),
    ...(['framesSent', 'bytesSent', 'framesReceived', 'bytesReceived'] as const).flatMap((name) =>
      lines(
        `hustings_member_${name.replace(/[A-Z]/, (capital) => `_${capital.toLowerCase()}`)}_total`,
        'counter',
        HELP[name],
        ['', traffic[name]],
      ),
    ),
    ...(certificateUntilMs === null
      ? []
      : lines(
          'hustings_member_certificate_expiry_seconds',
          'gauge',
          'When the certificate of this member ends, in seconds since 1970.',
          ['', Math.floor(certificateUntilMs / 1_000)],
        )),
    '',
  ].join('\n');
}

const HELP = {
  received: 'Messages of the algorithm that arrived.',
  stale: 'Messages of an epoch that this member is not in.',
  refused: 'Frames that were not valid.',
  undelivered: 'Messages that may be lost.',
  resets: 'Links that were reset.',
  lapses: 'Times that the lead of this member ran out, because a majority did not answer in time.',
  suspicions: 'Times that a member was suspected.',
  framesSent: 'Frames that were sent, heartbeats included.',
  bytesSent: 'Bytes that were sent to members.',
  framesReceived: 'Frames that arrived, heartbeats included.',
  bytesReceived: 'Bytes that arrived from members.',
} as const;
