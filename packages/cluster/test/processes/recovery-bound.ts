/**
 * How long members may take until they agree, after a fault and after its heal, derived from the timeouts that apply. Nothing in
 * it was measured. Time that a process waits for a processor comes on top; the share that a run has used shows how little that is.
 *
 * detect    Silence is suspicious after 20 heartbeats at the latest, and polls are half a heartbeat apart.
 * reconnect A member dials again after at most LAST_RETRY_MS; two heartbeats for the handshake and a first sign of life.
 * elect     In one endless run: a member starts up to 4 timeouts after a suspicion has ended. An election that a fault has
 *           broken ends by the longest wait of the algorithm, and the next one takes as long again, with a timeout for each
 *           member that may be silent. Raft has random timeouts: 8 of them, because votes may be split.
 *           In epochs: a reason for a new epoch lasts for a pause, at most 64 heartbeats, and the clique may change once in it;
 *           a member leaves a broken epoch after 16 heartbeats.
 * support   With a gate: support for an old leader ends after a lease, and the next request comes within a quarter. If it is refused
 *           for a larger token, another claim follows within a quarter. Saving may take a lease.
 * recall    A member whose folder does not last waits for a lease and asks within a heartbeat. With a lease of its own, the algorithm
 *           promises for another one. Members that recover at the same time may have to hear of each other first.
 */
import { registry } from '../../../study/src/algorithms/registry.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { detectorLimits } from '../../src/detector/phi-accrual.ts';
import { defaultUnitMs } from '../../src/runtime/member-options.ts';
import { isEndless, overlaySetup } from '../../src/view/overlay.ts';
import { LAST_RETRY_MS } from '../../src/wire/pulse.ts';

export interface ClusterTiming {
  readonly algorithm: AnyAlgorithm;
  readonly members: readonly number[];
  readonly heartbeatMs: number;
  /** Null without a gate. */
  readonly leaseMs: number | null;
  /** Folders do not last. */
  readonly isEphemeral?: boolean | undefined;
}

/** Parts of the bound in milliseconds, by name. */
export interface RecoveryBound {
  readonly detect: number;
  readonly reconnect: number;
  readonly elect: number;
  readonly support: number;
  readonly recall: number;
  readonly total: number;
}

export function algorithmNamed(name: string): AnyAlgorithm {
  const algorithm = registry.find((one) => one.name === name);
  if (algorithm === undefined) throw new Error(`no algorithm ${name}`);
  return algorithm;
}

type Params = Readonly<Record<string, unknown>>;

/** The longest wait of an algorithm in its timeouts, where it is more than two. */
const LONGEST_WAIT: Readonly<Record<string, (n: number, params: Params) => number>> = {
  'ring-list': (n) => 2 * n,
  'ring-max': (n) => 2 * n,
  sun: (n) => 5 * n,
  divided: (n, { depth }) => 3 * n + 6 * Number(depth) + 1,
};

export function recoveryBound(timing: ClusterTiming): RecoveryBound {
  const { heartbeatMs, leaseMs } = timing;
  const detect = detectorLimits({ heartbeatMs }).ceilingMs + heartbeatMs / 2;
  const reconnect = LAST_RETRY_MS + 2 * heartbeatMs;
  const elect = electionMs(timing);
  const support = leaseMs === null ? 0 : 2.5 * leaseMs;
  const recall = timing.isEphemeral ? 2 * (leadLimitMs(timing) ?? 0) + 4 * heartbeatMs : 0;
  return { detect, reconnect, elect, support, recall, total: detect + reconnect + elect + support + recall };
}

function electionMs({ algorithm, heartbeatMs, members }: ClusterTiming): number {
  const pauseMs = 4 * heartbeatMs;
  if (!isEndless(algorithm)) return 2 * 16 * pauseMs + 4 * pauseMs;
  const unitMs = defaultUnitMs({ algorithm, members }, heartbeatMs);
  const params: Params = overlaySetup(algorithm, members, {}, null)?.params ?? {};
  const timeout = Number(params.timeout);
  const n = members.length;
  if (params.spread !== undefined) return 8 * (2 * timeout + Number(params.spread)) * unitMs;
  const longest = LONGEST_WAIT[algorithm.name]?.(n, params) ?? 2;
  return (4 + 2 * (longest + n)) * timeout * unitMs;
}

/** How long a leader that is cut off may go on: support or acknowledgements count from the send. Null if there is no limit. */
export function leadLimitMs(timing: ClusterTiming): number | null {
  const { algorithm, heartbeatMs, leaseMs, members } = timing;
  if (leaseMs !== null) return leaseMs;
  if (!algorithm.assumes.faults?.includes('partition')) return null;
  const timeout = overlaySetup(algorithm, members, {}, null)?.params.timeout;
  return 2 * Number(timeout) * defaultUnitMs({ algorithm, members }, heartbeatMs);
}

/** Longer than every timeout: of the detector, a silent connection, a lease and an election. */
export function longestTimeoutMs(timing: ClusterTiming): number {
  const { detect, support } = recoveryBound(timing);
  return Math.max(detect, support, 2_000, 20 * timing.heartbeatMs, leadLimitMs(timing) ?? 0);
}
