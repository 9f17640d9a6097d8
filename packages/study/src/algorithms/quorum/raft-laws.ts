/**
 * The cost of a Raft election without faults: one candidate, and all nodes answer. In lockstep a request and its
 * answers take 2 units. The source gives no numbers; these follow from its rules without a log. S is the parameter
 * `spread`.
 */
import { bound, exact, type Law, type LawCondition, mean, type RunFacts } from '../../kernel/index.ts';

const inLockstep: LawCondition = ['in lockstep', ({ lockstep }) => lockstep];
const oneCandidate: LawCondition = [
  'one initiator, no faults, bounded delay',
  (run) => run.k === 1 && isFaultless(run),
];
const withoutSpread: readonly LawCondition[] = [
  inLockstep,
  oneCandidate,
  ['S = 0, heartbeats divides 2T', (run) => run.params.spread === 0 && periodOf(run) % 1 === 0],
];
/** The first node to time out is elected unless a majority has timed out when its request arrives. */
const withoutSplitVote: LawCondition = [
  'no faults; k = 1, or n ≥ 5 and S ≥ 4k',
  (run) => isFaultless(run) && (run.k === 1 || (run.n >= 5 && spreadOf(run) >= 4 * run.k)),
];

export const raftLaws: readonly Law[] = [
  ...['requestPreVote', 'preVote'].map((messages) =>
    exact({ messages }, 'n−1; 0 without pre-vote', [oneCandidate], ({ n, params }) =>
      params.prevote ? n - 1 : 0,
    ),
  ),
  ...['requestVote', 'vote'].map((messages) => exact({ messages }, 'n−1', [oneCandidate], ({ n }) => n - 1)),
  exact('electedAt', '2T+4, or 2T+2 without pre-vote', withoutSpread, leastTime),
  exact('agreedAt', '2T+5, or 2T+3', withoutSpread, (run) => leastTime(run) + (run.n > 1 ? 1 : 0)),
  exact({ messages: 'heartbeat' }, 'n−1 per round', withoutSpread, (run) => heartbeatsBefore(0, run)),
  exact({ messages: 'acknowledge' }, 'n−1 per round', withoutSpread, (run) => heartbeatsBefore(1, run)),
  bound('electedAt', '2T+S+4', [inLockstep, oneCandidate], (run) => leastTime(run) + spreadOf(run)),
  mean(
    'electedAt',
    '2T+S/(k+1)+4',
    [inLockstep, withoutSplitVote],
    (run) => leastTime(run) + spreadOf(run) / (run.k + 1),
  ),
];

/** The time of several elections, because votes may be split. */
export function horizon(_n: number, params: RunFacts['params']): number {
  return 10 * (2 * Number(params.timeout) + Number(params.spread));
}

/** The time of an election in lockstep whose timeout has no random addition. */
function leastTime(run: RunFacts): number {
  return 2 * Number(run.params.timeout) + requestTime(run);
}

function spreadOf({ params }: RunFacts): number {
  return Number(params.spread);
}

function isFaultless({ dead, faultless, boundedDelay }: RunFacts): boolean {
  return faultless && boundedDelay && dead.length === 0;
}

/** The time from the election timeout to the majority of votes, in lockstep. */
function requestTime({ n, params }: RunFacts): number {
  return n === 1 ? 0 : params.prevote ? 4 : 2;
}

/**
 * The number of heartbeats sent at least `units` before the end: the first when the node becomes the leader, the others
 * in the rounds that began with its request for votes.
 */
function heartbeatsBefore(units: number, run: RunFacts): number {
  const { n, params } = run;
  const time = horizon(n, params) - units - (leastTime(run) - 2);
  return (n - 1) * (2 + Math.floor(time / periodOf(run)) - Math.ceil(2 / periodOf(run)));
}

function periodOf({ params }: RunFacts): number {
  return (2 * Number(params.timeout)) / Number(params.heartbeats);
}
