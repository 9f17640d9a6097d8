/**
 * The cost of a Raft election without faults: one candidate, and all nodes answer. In lockstep a request and its
 * answers take 2 units. The source gives no numbers; these follow from its rules without a log. S is the parameter
 * `spread`.
 */
import type { Law, RunFacts } from '../../kernel/index.ts';

/** When a law holds: as text, and as a predicate of a run. */
type LawCondition = readonly [when: string, holds: (run: RunFacts) => boolean];
type LawValue = (run: RunFacts, wait: number, S: number) => number;

const oneCandidate: LawCondition = [
  'one initiator, no faults, bounded delay',
  (run) => run.k === 1 && isFaultless(run),
];
const inLockstep: LawCondition = [
  `in lockstep, ${oneCandidate[0]}`,
  (run) => run.lockstep && oneCandidate[1](run),
];
const withoutSpread: LawCondition = [
  `${inLockstep[0]}, S = 0, heartbeats divides 2T`,
  (run) => inLockstep[1](run) && run.params.spread === 0 && periodOf(run) % 1 === 0,
];
/** The first node to time out is elected unless a majority has timed out when its request arrives. */
const withoutSplitVote: LawCondition = [
  'in lockstep, no faults; k = 1, or n ≥ 5 and S ≥ 4k',
  (run) =>
    run.lockstep &&
    isFaultless(run) &&
    (run.k === 1 || (run.n >= 5 && Number(run.params.spread) >= 4 * run.k)),
];
export const raftLaws: readonly Law[] = [
  ...['requestPreVote', 'preVote'].map((messages) =>
    law('exact', { messages }, 'n−1; 0 without pre-vote', oneCandidate, ({ n, params }) =>
      params.prevote ? n - 1 : 0,
    ),
  ),
  ...['requestVote', 'vote'].map((messages) =>
    law('exact', { messages }, 'n−1', oneCandidate, ({ n }) => n - 1),
  ),
  law(
    'exact',
    'electedAt',
    '2T+4, or 2T+2 without pre-vote',
    withoutSpread,
    (run, wait) => wait + requestTime(run),
  ),
  law(
    'exact',
    'agreedAt',
    '2T+5, or 2T+3',
    withoutSpread,
    (run, wait) => wait + requestTime(run) + (run.n > 1 ? 1 : 0),
  ),
  law('exact', { messages: 'heartbeat' }, 'n−1 per round', withoutSpread, (run) => heartbeatsBefore(0, run)),
  law('exact', { messages: 'acknowledge' }, 'n−1 per round', withoutSpread, (run) =>
    heartbeatsBefore(1, run),
  ),
  law('bound', 'electedAt', '2T+S+4', inLockstep, (run, wait, S) => wait + S + requestTime(run)),
  law(
    'mean',
    'electedAt',
    '2T+S/(k+1)+4',
    withoutSplitVote,
    (run, wait, S) => wait + S / (run.k + 1) + requestTime(run),
  ),
];

/** The time of several elections, because votes may be split. */
export function horizon(_n: number, params: RunFacts['params']): number {
  return 10 * (2 * Number(params.timeout) + Number(params.spread));
}

function law(
  kind: Law['kind'],
  measure: Law['measure'],
  formula: string,
  [when, holds]: LawCondition,
  value: LawValue,
): Law {
  return {
    kind,
    measure,
    formula,
    when,
    value: (run) =>
      holds(run) ? value(run, 2 * Number(run.params.timeout), Number(run.params.spread)) : undefined,
  };
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
  const time = horizon(n, params) - units - (2 * Number(params.timeout) + requestTime(run) - 2);
  return (n - 1) * (2 + Math.floor(time / periodOf(run)) - Math.ceil(2 / periodOf(run)));
}

function periodOf({ params }: RunFacts): number {
  return (2 * Number(params.timeout)) / Number(params.heartbeats);
}
