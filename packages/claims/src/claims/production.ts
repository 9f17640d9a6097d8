/**
 * Leaders in production. The rules of a lease store are measured with random calls on a virtual clock. Claims about
 * processes, clocks and networks are out of scope, and the report names a page about them.
 */

import { formatFigure } from '@hustings/base';
import { bully } from '@hustings/study/algorithms';
import { acquire, EMPTY_ROW, type LeaseRow, renew } from 'hustings/internal/lease/core/lease-row';
import { outOfScope, type Row, type Study, study, verdictOf } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { ours, stated } from '../origin.ts';
import { numbered } from '../parameter-grid.ts';
import { ROURKELA } from '../sources.ts';
import { shardOwners } from '../studies/shard-owners.ts';
import { waitingNodes } from '../studies/waiting-nodes.ts';

const TTL_MS = 1000;
const CANDIDATES = 5;
const REQUEST = {
  name: 'e',
  ttlMs: TTL_MS,
  priority: 0,
  processProof: '',
  goneNonce: null,
  staleVersion: null,
  holdAtLeastMs: 0,
  registerMs: 0,
};

/** Candidates that acquire and renew at random times, and pause now and then. */
function simulateLease(
  experiment: Experiment,
  calls: number,
): { takeovers: number; early: number; falling: number; revived: number } {
  const random = experiment.random('lease');
  const held = new Map<number, { nonce: string; token: bigint }>();
  const found = { takeovers: 0, early: 0, falling: 0, revived: 0 };
  let row: LeaseRow = EMPTY_ROW;
  let nowMs = 0;
  for (let index = 0; index < calls; index++) {
    nowMs += random.below(random.below(20) === 0 ? 3 * TTL_MS : TTL_MS / 4);
    const who = random.below(CANDIDATES);
    const term = held.get(who);
    if (term !== undefined) {
      const isOver = row.untilMs <= nowMs || row.holder?.nonce !== term.nonce;
      const renewed = renew(row, { name: 'e', ...term, ttlMs: TTL_MS }, nowMs);
      row = renewed.row;
      if (renewed.answer.type === 'ok' && isOver) found.revived++;
      if (renewed.answer.type === 'lost') held.delete(who);
      continue;
    }
    const nonce = `n${index}`;
    const before = row;
    const claimed = acquire(row, { ...REQUEST, id: `c${who}`, nonce }, nowMs);
    row = claimed.row;
    if (claimed.answer.type !== 'ok') continue;
    if (before.holder !== null && before.untilMs > nowMs) found.early++;
    if (claimed.answer.token <= before.token) found.falling++;
    found.takeovers++;
    held.set(who, { nonce, token: claimed.answer.token });
  }
  return found;
}

const leaseRules: Study = {
  claims: [
    {
      id: 'leases/one',
      origin: stated([ROURKELA, 'lines 403–407']),
      says: 'a store holds the current leader; another process takes over only after the lease has expired',
      method: 'share of runs',
    },
    {
      id: 'leases/token',
      origin: ours(),
      says: 'late work of an old leader can be told from that of the new one: every term has a larger token',
      method: 'share of runs',
    },
    {
      id: 'leases/heartbeat',
      origin: ours(),
      says: 'a late heartbeat does not renew an expired lease',
      method: 'share of runs',
    },
  ],
  measure(experiment) {
    const calls = experiment.some(20_000, 400_000);
    const { takeovers, early, falling, revived } = simulateLease(experiment, calls);
    const among = `${formatFigure(takeovers)} terms, ${formatFigure(calls)} calls of ${CANDIDATES} candidates`;
    return [
      { verdict: verdictOf(early === 0), measured: `${early} early takeovers in ${among}` },
      { verdict: verdictOf(falling === 0), measured: `${falling} tokens that did not increase in ${among}` },
      { verdict: verdictOf(revived === 0), measured: `${revived} expired leases renewed in ${among}` },
    ];
  },
};

export const leasesRow: Row = { name: 'leases', title: 'Leases on a store', studies: [leaseRules] };

export const goodElectionRow: Row = {
  name: 'good-election',
  title: 'Requirements on a leader election in production',
  studies: [
    outOfScope({
      id: 'good-election/checked-before',
      origin: stated([ROURKELA, 'lines 465–467']),
      says: 'before each side effect the process checks the remaining lease time; pauses and slow networks are considered',
      why: 'a property of programs and machines, which no run of an algorithm has: see docs/elector.md',
    }),
    outOfScope({
      id: 'good-election/heartbeat-thread',
      origin: stated([ROURKELA, 'lines 469–471']),
      says: 'leases are not renewed by a background thread, which can outlive the work or fail to interrupt it',
      why: 'a property of programs, which no run of an algorithm has: see docs/elector.md, stallAfterMs',
    }),
    outOfScope({
      id: 'good-election/always-correct',
      origin: stated([ROURKELA, 'line 457']),
      says: 'the leader election system is always correct and consistent',
      why: 'a requirement without a measure. Read as “never two leaders at one moment”, it contradicts line 453 of the same notes, which the claim two-leaders illustrates; what a store can keep is one holder of a lease at a time (leases/one)',
    }),
    outOfScope({
      id: 'good-election/verified',
      origin: stated([ROURKELA, 'line 481']),
      says: 'the protocol is verified formally',
      why: 'a requirement on a project, which no run of an algorithm has: see docs/leases-checked.md',
    }),
    study({
      id: 'good-election/two-leaders',
      origin: stated([ROURKELA, 'lines 453–455']),
      says: 'exactly one leader cannot be guaranteed: during a failure there may be none or two, and the work must tolerate it',
      method: 'share of runs',
      measure(experiment) {
        const runs = experiment.some(200, 2000);
        let [two, gap] = [0, 0];
        for (const options of numbered(experiment, runs, () => ({
          nodes: 6,
          order: 'ascending' as const,
          initiators: [0],
          schedule: 'random' as const,
          despite: ['timing'],
        }))) {
          const { time, valid } = experiment.outcome(bully, options);
          if (!valid.uniqueness) two++;
          if (Number(time.electedAt) > 0) gap++;
        }
        return {
          verdict: two > 0 && gap > 0 ? 'illustrated' : 'undecided',
          measured: `bully with timeouts that are too short: for a while no node leads in ${gap} of ${formatFigure(runs)} elections after a crash, and two nodes lead in ${two}`,
          why: 'a statement about all systems: see docs/fencing.md for late work of an old leader',
        };
      },
    }),
  ],
};

export const predecessorRow: Row = {
  name: 'predecessor-watch',
  title: 'Sequential nodes, each watching its predecessor (ZooKeeper)',
  studies: [waitingNodes],
};

export const shardsRow: Row = {
  name: 'shards',
  title: 'One leader per shard',
  studies: [shardOwners],
};
