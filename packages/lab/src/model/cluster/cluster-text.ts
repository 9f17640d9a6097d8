/** What a running cluster looks like as a whole, in words: derived from what its members say, and from nothing else. */
import { listed } from '@hustings/base';
import { needsMajority } from '@hustings/cluster/internal/gate/quorum-incompatibility';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import type { MemberReport, WatchedMember } from './cluster-snapshot.ts';

/** Who leads, as the members say. */
export interface ClusterVerdict {
  readonly kind: 'led' | 'vacant' | 'split' | 'unknown';
  /** A few words. */
  readonly title: string;
  readonly text: string;
}

/** The reports of the members that are up. */
export function reportsOf(members: readonly WatchedMember[]): MemberReport[] {
  return members.flatMap(({ report, state }) => (state === 'up' && report !== null ? [report] : []));
}

/** Whether a leader needs a majority: by the algorithm, or by the gate. Null if no member has said so. */
export function majorityOf(
  members: readonly WatchedMember[],
  algorithm: AnyAlgorithm | undefined,
): 'algorithm' | 'gate' | 'none' | null {
  if (algorithm !== undefined && needsMajority(algorithm)) return 'algorithm';
  const [first] = reportsOf(members);
  return first === undefined ? null : first.quorum ? 'gate' : 'none';
}

/** Who leads, and how many members agree. */
export function clusterVerdict(members: readonly WatchedMember[]): ClusterVerdict {
  const up = reportsOf(members);
  const leaders = up.filter(({ leads }) => leads);
  const count = `${up.length} of ${members.length} members ${up.length === 1 ? 'is' : 'are'} up`;
  if (up.length === 0) {
    const text = members.every(({ state }) => state === 'hidden')
      ? 'The member file has no http addresses, so no member can be asked.'
      : 'No member answers. They are shown as soon as they do.';
    return { kind: 'unknown', title: 'The leader is unknown', text };
  }
  if (leaders.length > 1) {
    const sides = leaders.map(({ id, token }) => `${id} with token ${token}`);
    return {
      kind: 'split',
      title: `${listed(leaders.map(({ id }) => String(id)))} lead`,
      text: `Split brain: ${listed(sides)}. ${count}.`,
    };
  }
  if (leaders.length === 1) {
    const [{ id, token, term, epoch }] = leaders;
    const following = up.filter(({ leader }) => leader === id).length;
    const agree =
      following === up.length
        ? 'all of them agree'
        : `${following} of them ${following === 1 ? 'names' : 'name'} it`;
    return {
      kind: 'led',
      title: `${id} leads`,
      text: `Token ${token}, ${epoch === null ? 'term' : 'epoch'} ${term}. ${count}; ${agree}.`,
    };
  }
  const elected = [...new Set(up.flatMap(({ elected: id, quorum }) => (quorum && id !== null ? [id] : [])))];
  const why =
    elected.length === 0
      ? ''
      : ` ${listed(elected.map(String))} ${elected.length === 1 ? 'is' : 'are'} elected, but without a majority.`;
  return { kind: 'vacant', title: 'Nobody leads', text: `${count}.${why}` };
}

/** Whether a member hears another, as it says itself. */
export type Hearing = 'itself' | 'hears' | 'suspects' | 'unknown';

export function hearingOf({ id, report }: WatchedMember, other: number): Hearing {
  if (id === other) return 'itself';
  if (report === null) return 'unknown';
  return report.hears.includes(other) ? 'hears' : 'suspects';
}

/** What a member does, in a few words. */
export function memberText({ report, state }: WatchedMember): string {
  if (state === 'hidden') return 'no http in the member file';
  if (state === 'silent') return 'does not answer';
  if (state !== 'up' || report === null) return state;
  if (report.leads) return 'leads';
  if (report.state !== 'running') return report.state;
  if (report.elected === report.id) return 'elected, without a majority';
  return report.leader === null ? 'knows no leader' : `follows ${report.leader}`;
}
