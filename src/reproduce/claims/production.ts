/**
 * Leaders in production: what the rules of a store of leases keep to, on a clock and with calls drawn by lot. What a
 * claim asks of processes, clocks and networks is not run here: the page says where it is.
 */

import { formatFigure } from '../../kernel/law-text.ts';
import { acquire, EMPTY_ROW, type LeaseRow, renew } from '../../lease/core/lease-row.ts';
import { outOfScope, type Row, type Study, verdictOf } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { ROURKELA } from '../sources.ts';

const TTL_MS = 1000;
const CANDIDATES = 5;

/** Candidates that claim and renew at moments drawn by lot, and stop for a while now and then. */
function playLease(
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
    const processProof = '';
    const claimed = acquire(
      row,
      {
        name: 'e',
        id: `c${who}`,
        nonce,
        ttlMs: TTL_MS,
        priority: 0,
        processProof,
        goneNonce: null,
        staleVersion: null,
      },
      nowMs,
    );
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
      source: ROURKELA,
      says: 'one store holds the current leader; another takes over when its lease has expired, and not before',
      method: 'share of runs',
    },
    {
      id: 'leases/token',
      source: 'asked here of a lease, beyond the notes',
      says: 'what an old leader does late can be told from the work of the new one: every term has a larger token',
      method: 'share of runs',
    },
    {
      id: 'leases/heartbeat',
      source: 'asked here of a lease, beyond the notes',
      says: 'a heartbeat that comes too late does not bring an expired lease back',
      method: 'share of runs',
    },
  ],
  measure(experiment) {
    const calls = experiment.some(20_000, 400_000);
    const { takeovers, early, falling, revived } = playLease(experiment, calls);
    const among = `${formatFigure(takeovers)} terms, ${formatFigure(calls)} calls of ${CANDIDATES} candidates`;
    return [
      { verdict: verdictOf(early === 0), measured: `${early} early takeovers in ${among}` },
      { verdict: verdictOf(falling === 0), measured: `${falling} tokens that did not rise in ${among}` },
      { verdict: verdictOf(revived === 0), measured: `${revived} expired leases renewed in ${among}` },
    ];
  },
};

export const leasesRow: Row = { name: 'leases', title: 'Leases on a store', studies: [leaseRules] };

export const goodElectionRow: Row = {
  name: 'good-election',
  title: 'What makes a leader election good',
  studies: [
    outOfScope(
      {
        id: 'good-election/checked-before',
        source: ROURKELA,
        says: 'before each side effect one asks what is left of the lease; pauses and slow networks are allowed for',
      },
      'a property of programs and machines: the tests of the lease run it with real processes, pauses and stores (docs/leases.md)',
    ),
    outOfScope(
      {
        id: 'good-election/verified',
        source: ROURKELA,
        says: 'the protocol is verified formally',
      },
      'done by the checker over all states of the lease: docs/leases-checked.md has the searches and their counts',
    ),
    outOfScope(
      {
        id: 'good-election/two-leaders',
        source: ROURKELA,
        says: 'exactly one leader cannot be guaranteed: in a fault there may be none or two, and work must tolerate it',
      },
      'a statement about every system; what fences keep out is measured by the tests of the lease (docs/fencing.md)',
    ),
  ],
};

export const predecessorRow: Row = {
  name: 'predecessor-watch',
  title: 'Sequential nodes, each watching its predecessor (ZooKeeper)',
  studies: [
    outOfScope(
      {
        id: 'predecessor-watch/smallest',
        source: 'Apache ZooKeeper: recipes',
        says: 'the candidate with the smallest living node leads; each watches its predecessor alone',
      },
      'this program has no such election',
    ),
  ],
};

export const shardsRow: Row = {
  name: 'shards',
  title: 'One leader a shard',
  studies: [
    outOfScope(
      {
        id: 'shards/owner',
        source: ROURKELA,
        says: 'every shard has one owner, owners are balanced, and the shards of one that fails move',
      },
      'this program has one lease an election, and nothing that balances many',
    ),
  ],
};
