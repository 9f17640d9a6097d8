/** The snapshot of a member from its parts. */
import type { Decision } from '@hustings/study/driver';
import type { PeerDetector } from '../detector/peer-detector.ts';
import type { ElectionMode } from './election-mode.ts';
import type { MemberLists } from './member-lists.ts';
import type { MemberOptions } from './member-options.ts';
import type { MemberStatus } from './member-status.ts';

/** The parts of a member. */
export interface MemberParts extends Pick<MemberStatus, 'state' | 'reason' | 'counts'> {
  readonly options: MemberOptions;
  readonly mode: ElectionMode;
  readonly lists: MemberLists;
  readonly detector: PeerDetector;
  /** What the present run has decided, as far as it is on disk. */
  readonly result: Decision | null;
  /** The clock by which the member leads. */
  readonly leadMs: () => number;
}

/** A member leads only while it can prove it. */
export function statusOf(parts: MemberParts): MemberStatus {
  const { counts, detector, lists, mode, options, reason, result, state } = parts;
  const { algorithm, clock, self } = options;
  const { epoch, proof, term } = mode;
  const claimed = state === 'running' ? result : null;
  // Read first: the time between the two readings is not added to the lead.
  const nowMs = clock.now();
  const leadMs = parts.leadMs();
  const leftMs = claimed?.role !== 'leader' || proof === null ? null : proof.untilMs(leadMs) - leadMs;
  const decision = leftMs === null || leftMs > 0 ? claimed : null;
  return {
    id: self,
    state,
    reason,
    algorithm: algorithm.name,
    members: lists.ids,
    role: decision?.role ?? null,
    leader: decision?.leader ?? null,
    term: epoch?.number ?? term ?? decision?.term ?? 0,
    leadsUntilMs: leftMs === null || decision === null ? null : nowMs + leftMs,
    leaseMs: proof?.leaseMs ?? null,
    epoch,
    hears: detector.hears(),
    counts: { ...counts, sent: { ...counts.sent } },
  };
}
