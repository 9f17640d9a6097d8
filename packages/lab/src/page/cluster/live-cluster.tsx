import { useEffect } from 'preact/hooks';
import type { WatchedMember } from '../../model/cluster/cluster-snapshot.ts';
import {
  clusterVerdict,
  type Hearing,
  hearingOf,
  majorityOf,
  memberText,
  reportsOf,
} from '../../model/cluster/cluster-text.ts';
import { findAlgorithm } from '../../model/setup/algorithm-list.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { TableHead } from '../shell/text-alternative.tsx';
import { cluster, followCluster, streamState } from './cluster-feed.ts';
import { LiveDiagram } from './live-diagram.tsx';

/** A running cluster: who leads, what each member says, and the messages between them. */
export function LiveCluster() {
  useEffect(() => {
    const ending = new AbortController();
    void followCluster(ending.signal);
    return () => ending.abort();
  }, []);
  const members = cluster.value?.members ?? [];
  return (
    <>
      <ClusterSentence />
      <div class="cluster">
        <div class="cluster-main">
          <Board />
          <LiveDiagram />
        </div>
        <aside class="cluster-rail" aria-label="Members">
          {members.length > 0 && <MemberTable members={members} />}
          {members.length > 1 && <HearingTable members={members} />}
        </aside>
      </div>
    </>
  );
}

function ClusterSentence() {
  const { value } = cluster;
  if (value === null) return <PageHeading>A cluster: who leads, and who hears whom.</PageHeading>;
  const { algorithm, cluster: name, members } = value;
  const found = algorithm === null ? undefined : findAlgorithm(algorithm);
  const majority = majorityOf(members, found);
  return (
    <PageHeading>
      <strong>{found?.title ?? algorithm ?? 'An election'}</strong>
      {majority === 'algorithm' && ', which needs a majority itself,'} between {members.length}{' '}
      {members.length === 1 ? 'process' : 'processes'} of the cluster <strong>{name}</strong>
      {majority === 'gate' && ', with a quorum gate'}
      {majority === 'none' && ', without a quorum gate'}.
    </PageHeading>
  );
}

const STREAM_TEXTS: Readonly<Record<string, string>> = {
  connecting: 'Asking the members…',
  lost: 'The lab’s server does not answer. Reconnecting…',
  paused: 'This tab was hidden. Asking the members again…',
};

function Board() {
  const known = cluster.value;
  const verdict =
    known === null
      ? { kind: 'unknown', title: 'The leader is unknown', text: STREAM_TEXTS[streamState.value] ?? '' }
      : clusterVerdict(known.members);
  return (
    <section class="cluster-board" aria-label="Who leads" data-kind={verdict.kind}>
      <div role="status">
        <h2 class="verdict">
          {verdict.kind === 'led' && <span class="leader-star">★</span>}
          {verdict.title}
        </h2>
      </div>
      <p>{verdict.text}</p>
    </section>
  );
}

interface MembersProps {
  readonly members: readonly WatchedMember[];
}

function MemberTable({ members }: MembersProps) {
  const hasEpochs = reportsOf(members).some(({ epoch }) => epoch !== null);
  const show = (value: number | null | undefined): string => (value == null ? '–' : String(value));
  return (
    <section aria-label="Members">
      <h2>Members</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div class="cluster-scroll" tabIndex={0}>
        <table class="table" id="members">
          <TableHead columns={['member', 'now', hasEpochs ? 'epoch' : 'term', 'token', 'sent', 'received']} />
          <tbody>
            {members.map((member) => (
              <tr key={member.id} data-state={member.state} data-leads={member.report?.leads || undefined}>
                <th scope="row" title={member.address}>
                  {member.report?.leads ? '★ ' : ''}
                  {member.state === 'down' ? '× ' : ''}
                  {member.id}
                </th>
                <td>{memberText(member)}</td>
                <td>{show(member.report?.term)}</td>
                <td>{show(member.report?.token)}</td>
                <td>{show(member.report?.sent)}</td>
                <td>{show(member.report?.received)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const HEARING: Readonly<Record<Hearing, { readonly mark: string; readonly text: string }>> = {
  itself: { mark: '·', text: 'itself' },
  hears: { mark: '✓', text: 'hears' },
  suspects: { mark: '×', text: 'suspects' },
  unknown: { mark: '?', text: 'unknown' },
};

function HearingTable({ members }: MembersProps) {
  return (
    <section aria-label="Who hears whom">
      <h2>Who hears whom</h2>
      <p class="caption">✓ the member on the left hears the one above; × it suspects that it has crashed</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div class="cluster-scroll" tabIndex={0}>
        <table class="table hearing" id="hearing">
          <TableHead
            columns={[
              <span key="member" class="only-read">
                member
              </span>,
              ...members.map(({ id }) => id),
            ]}
          />
          <tbody>
            {members.map((member) => (
              <tr key={member.id}>
                <th scope="row">{member.id}</th>
                {members.map(({ id }) => {
                  const hearing = hearingOf(member, id);
                  return (
                    <td key={id} data-hearing={hearing}>
                      <span aria-hidden="true">{HEARING[hearing].mark}</span>
                      <span class="only-read">{HEARING[hearing].text}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
