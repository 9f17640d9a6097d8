/** The options of a member process. */
import type { AnyAlgorithm, Setting } from '@hustings/study/kernel';
import type { MemberList } from '../member-list/member-list.ts';
import type { TraceWriter } from '../record/trace-line.ts';
import type { MemberEdge } from '../view/overlay.ts';
import type { ClusterSecurity } from '../wire/security.ts';
import type { ClusterNodeEvent } from './node-status.ts';

/** A member process. */
export interface ClusterNodeOptions {
  /** The member list from a file. A newer one on disk counts instead, where the leader can change the members. */
  readonly members: MemberList;
  /** This member is added to a cluster that runs: it takes no part before it has received a list that contains it. */
  readonly join?: boolean | undefined;
  /** Where a majority is counted: all members were stopped, and are started with this list, whatever they have stored. */
  readonly allStopped?: boolean | undefined;
  /** The member that this process is. */
  readonly id: number;
  readonly algorithm: AnyAlgorithm;
  readonly security: ClusterSecurity;
  /** The folder of its state, which is created. It belongs to this member alone. */
  readonly folder: string;
  /** The parameters of the algorithm. */
  readonly set?: Readonly<Record<string, Setting>> | undefined;
  /** The links that the algorithm may use, for networks that are not complete. */
  readonly edges?: readonly MemberEdge[] | undefined;
  /** A member leads only while a majority of all configured members supports it. */
  readonly quorum?: boolean | undefined;
  /**
   * The folders of the members do not last, as in containers without volumes: the same at all members. After each start a member waits
   * for one lease, and asks the others for what it must not forget. Only where a majority is counted.
   */
  readonly ephemeral?: boolean | undefined;
  /** With `quorum`: how long support lasts; 4 heartbeats and at least 2,000 unless given. */
  readonly leaseMs?: number | undefined;
  /** 10 for each member and at least 100 unless given. */
  readonly heartbeatMs?: number | undefined;
  /** One unit of the algorithm's timers: from the heartbeat unless given; see `defaultUnitMs`. */
  readonly unitMs?: number | undefined;
  /** HOST:PORT where this process listens, if it is not its address in the list. */
  readonly listen?: string | undefined;
  /** The folder of its recording. */
  readonly recordTo?: string | undefined;
  /** Gets the steps as well, as they are recorded. */
  readonly steps?: TraceWriter | undefined;
  /** Called with each event of the member process. */
  readonly onEvent?: ((event: ClusterNodeEvent) => void) | undefined;
}
