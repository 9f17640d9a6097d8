/**
 * What the server of the lab tells the page about a running cluster: only what its members have said. A member that does
 * not answer has no report: what it said before is not the present.
 */
import { isRecord } from '@hustings/base';
import { lineProblem } from '@hustings/cluster/internal/record/parse-trace';
import type { TraceLine } from '@hustings/cluster/internal/record/trace-line';
import { parseStep } from '@hustings/study/driver';

/** What a member says about itself. */
export interface MemberReport {
  readonly id: number;
  readonly pid: number;
  readonly state: string;
  readonly algorithm: string;
  /** The member list that it uses, and its version. */
  readonly members: readonly number[];
  readonly version: number;
  /** Whether a leader needs the support of a majority. */
  readonly quorum: boolean;
  /** The leader as this member knows it; with a quorum only one that has a majority. */
  readonly leader: number | null;
  /** The member that the algorithm elected, with or without a majority. */
  readonly elected: number | null;
  readonly leads: boolean;
  readonly token: number | null;
  /** The epoch, or the term of the algorithm. */
  readonly term: number;
  /** Null in a run without epochs. */
  readonly epoch: { readonly number: number; readonly members: readonly number[] } | null;
  /** The members that it hears; it suspects the others. */
  readonly hears: readonly number[];
  readonly sent: number;
  readonly received: number;
}

/** A member of the list that the members use, or of the member file. */
export interface WatchedMember {
  readonly id: number;
  /** '' if it is not in the member file. */
  readonly address: string;
  /** hidden: the member file has no `http` for it. silent: it is connected, but does not answer. */
  readonly state: 'connecting' | 'up' | 'silent' | 'down' | 'hidden';
  /** Since when, by the wall clock of the lab. Silent: since the first request that was not answered. */
  readonly since: number;
  /** While it is up. */
  readonly report: MemberReport | null;
}

/** Steps of one member, as its server sends them. */
export interface MemberSteps {
  /** Lines that were left out before these. */
  readonly dropped: number;
  readonly lines: readonly TraceLine[];
}

/** One message of the stream. */
export type ClusterMessage =
  | {
      readonly type: 'members';
      readonly cluster: string;
      readonly members: readonly WatchedMember[];
      /** The wall clock of the lab. */
      readonly at: number;
    }
  | (MemberSteps & { readonly type: 'steps'; readonly id: number })
  /** Sent in a long silence. */
  | { readonly type: 'alive' };

const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isIds = (value: unknown): value is readonly number[] => Array.isArray(value) && value.every(isNumber);
const idOrNull = (value: unknown): number | null => (isNumber(value) ? value : null);

/** The status of a member, as its server sends it; null if it is none. */
export function readReport(value: unknown): MemberReport | null {
  if (!isRecord(value) || !isNumber(value.id) || !isNumber(value.term) || !isIds(value.hears)) return null;
  if (typeof value.algorithm !== 'string' || typeof value.state !== 'string') return null;
  const { counts, epoch, hears, id, members, term, version } = value;
  const { received, sent } = isRecord(counts) ? counts : {};
  const known = isRecord(epoch) && isNumber(epoch.number) && isIds(epoch.members) ? epoch : null;
  return {
    ...{ id, term, hears, algorithm: value.algorithm, state: value.state },
    members: isIds(members) ? members : [],
    version: idOrNull(version) ?? 0,
    pid: idOrNull(value.pid) ?? 0,
    quorum: value.quorum === true,
    leader: idOrNull(value.leader),
    elected: idOrNull(value.elected),
    leads: value.leads === true,
    token: idOrNull(value.token),
    epoch: known && { number: known.number as number, members: known.members as readonly number[] },
    sent: isRecord(sent)
      ? Object.values(sent)
          .filter(isNumber)
          .reduce((sum, count) => sum + count, 0)
      : 0,
    received: idOrNull(received) ?? 0,
  };
}

/**
 * The members of the newest list that a member uses; null if none of them is known. A member that waits to be added has
 * only its file, and one that was removed has no part in the list.
 */
export function newestList(reports: readonly MemberReport[]): readonly number[] | null {
  const using = reports.filter(
    ({ members, state }) => state !== 'joining' && state !== 'removed' && members.length > 0,
  );
  const newest = Math.max(...using.map(({ version }) => version));
  return using.find(({ version }) => version === newest)?.members ?? null;
}

/** A message of the stream of a member; lines that no member writes are left out. */
export function readSteps(value: unknown): MemberSteps {
  const { dropped, lines } = isRecord(value) ? value : {};
  return {
    dropped: idOrNull(dropped) ?? 0,
    lines: (Array.isArray(lines) ? lines : []).filter(isLiveLine),
  };
}

function isLiveLine(value: unknown): value is TraceLine {
  if (lineProblem(value) !== null) return false;
  const line = value as TraceLine;
  try {
    return line.type !== 'step' || parseStep(line.step) !== null;
  } catch {
    return false;
  }
}
