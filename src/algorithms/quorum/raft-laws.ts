/**
 * What Raft's election costs where nothing goes wrong: one node asks, all answer. In lockstep a question and its answers
 * take 2 units. The source gives no figures; these follow from its rules, with no log and S for `spread`.
 */
import type { Law, RunFacts } from '../../kernel/index.ts';

/** When a law holds: in words, and of which runs that is true. */
type Case = readonly [when: string, holds: (run: RunFacts) => boolean];
type Figure = (run: RunFacts, wait: number, S: number) => number;

const alone: Case = ['one initiator, no faults, round trips in time', (run) => run.k === 1 && isCalm(run)];
const inLockstep: Case = [`in lockstep, ${alone[0]}`, (run) => run.lockstep && alone[1](run)];
const onTime: Case = [
  `${inLockstep[0]}, S = 0, heartbeats divide 2T`,
  (run) => inLockstep[1](run) && run.params.spread === 0 && periodOf(run) % 1 === 0,
];
/** The first to time out asks first, and is elected unless over half have timed out when its question comes. */
const unsplit: Case = [
  'in lockstep, no faults; k = 1, or n ≥ 5 and S ≥ 4k',
  (run) =>
    run.lockstep && isCalm(run) && (run.k === 1 || (run.n >= 5 && Number(run.params.spread) >= 4 * run.k)),
];
export const raftLaws: readonly Law[] = [
  ...['requestPreVote', 'preVote'].map((messages) =>
    law('exact', { messages }, 'n−1; 0 without pre-vote', alone, ({ n, params }) =>
      params.prevote ? n - 1 : 0,
    ),
  ),
  ...['requestVote', 'vote'].map((messages) => law('exact', { messages }, 'n−1', alone, ({ n }) => n - 1)),
  law('exact', 'electedAt', '2T+4, or 2T+2 without pre-vote', onTime, (run, wait) => wait + asking(run)),
  law('exact', 'agreedAt', '2T+5, or 2T+3', onTime, (run, wait) => wait + asking(run) + (run.n > 1 ? 1 : 0)),
  law('exact', { messages: 'heartbeat' }, 'n−1 a round', onTime, (run) => heartbeatsBefore(0, run)),
  law('exact', { messages: 'acknowledge' }, 'n−1 a round', onTime, (run) => heartbeatsBefore(1, run)),
  law('bound', 'electedAt', '2T+S+4', inLockstep, (run, wait, S) => wait + S + asking(run)),
  law('mean', 'electedAt', '2T+S/(k+1)+4', unsplit, (run, wait, S) => wait + S / (run.k + 1) + asking(run)),
];

/** Some elections' time, so that a few votes may be split. */
export function horizon(_n: number, params: RunFacts['params']): number {
  return 10 * (2 * Number(params.timeout) + Number(params.spread));
}

function law(kind: Law['kind'], measure: Law['measure'], formula: string, of: Case, figure: Figure): Law {
  const [when, holds] = of;
  const value: Law['value'] = (run) =>
    holds(run) ? figure(run, 2 * Number(run.params.timeout), Number(run.params.spread)) : undefined;
  return { kind, measure, formula, when, value };
}

function isCalm({ dead, smooth, boundedDelay }: RunFacts): boolean {
  return smooth && boundedDelay && dead.length === 0;
}

/** From the time-out to the majority of votes, in lockstep. */
function asking({ n, params }: RunFacts): number {
  return n === 1 ? 0 : params.prevote ? 4 : 2;
}

/** Sent so many units before the end: when it leads, and then as the rounds go from when it asked for votes. */
function heartbeatsBefore(units: number, run: RunFacts): number {
  const { n, params } = run;
  const time = horizon(n, params) - units - (2 * Number(params.timeout) + asking(run) - 2);
  return (n - 1) * (2 + Math.floor(time / periodOf(run)) - Math.ceil(2 / periodOf(run)));
}

function periodOf({ params }: RunFacts): number {
  return (2 * Number(params.timeout)) / Number(params.heartbeats);
}
