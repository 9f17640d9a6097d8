/** What the replay of a recording found. */

import type { MessageCounts } from '@hustings/study/driver';
import type { Law } from '@hustings/study/kernel';
import type { Epoch } from '../view/clique.ts';
import type { TracePlace } from './parse-trace.ts';

/** A property that a recorded run violates, and the line that shows it. */
export interface RecordedViolation extends TracePlace {
  /** 'step' if the algorithm may not take the step; otherwise as in a check. */
  readonly property: string;
  readonly text: string;
}

/** Assumptions of the algorithm that the network or the failure detector did not keep. */
export interface BrokenAssumptions {
  /** Notices about a member that was alive, or about a message that arrived. */
  readonly wrongNotices: number;
  /** Followers that started although their leader was alive. */
  readonly wrongStarts: number;
  /** Bounded delay: messages that took longer than one unit, by the wall clocks of the members. */
  readonly lateMessages: number;
  /** Messages that were lost between two living members; none count if the algorithm tolerates loss. */
  readonly lostMessages: number;
}

/** A count of messages beside a law that is exact in every schedule. */
export interface RecordedLaw extends Pick<Law, 'measure' | 'formula'> {
  readonly value: number;
  readonly recorded: number;
}

/** One run of a recording: an epoch, or the run that never ends, of which there is one for each member list. */
export interface ReplayedRun {
  /** Null in a run without epochs. */
  readonly epoch: Epoch | null;
  /** The members of a run without epochs, with the version of their list; null in an epoch. */
  readonly list: { readonly version: number; readonly members: readonly number[] } | null;
  readonly steps: number;
  readonly messages: MessageCounts;
  /** Laws apply to runs that ended. */
  readonly laws: readonly RecordedLaw[];
  readonly crashes: number;
  /** Recoveries of members that have stopped in this run. */
  readonly recoveries: number;
  /** Messages to a member that had crashed. */
  readonly lostWithCrash: number;
  /** Messages that were lost on a link that was reset. */
  readonly lostWithReset: number;
  /** Sent, neither delivered nor lost. */
  readonly inFlight: number;
  /** Steps that reached the disk, but not the recording, because the process was stopped between the two. */
  readonly unrecorded: number;
  readonly broken: BrokenAssumptions;
  /** Nothing is in flight, and no timer runs. */
  readonly ended: boolean;
  /** The id of the leader; null unless all members agree on one at the end. In an anonymous network, of the member that leads. */
  readonly leader: number | null;
  /** What is missing for agreement at the end; null if nothing is. */
  readonly disagreement: string | null;
  readonly violation: RecordedViolation | null;
  /** A property that was violated after an assumption of the algorithm had been broken. */
  readonly outside: RecordedViolation | null;
}

/** The replay of a recording. */
export interface RecordingReport {
  readonly cluster: string;
  readonly algorithm: string;
  readonly members: readonly number[];
  readonly incarnations: number;
  readonly steps: number;
  readonly runs: readonly ReplayedRun[];
}
