import type { EndCause } from '../../../../hustings/src/lease/index.ts';
import type { DemoFaultType, DemoResource, DemoSnapshot } from '../../../src/model/leases/demo-snapshot.ts';
import type { ElectionTerm, KnownElection } from '../../../src/model/leases/lease-snapshot.ts';

/** A term from second to second; without an end it is the current one. */
export const term = (
  token: number,
  holder: string,
  start: number,
  end: number | null = null,
  cause: EndCause | null = null,
): ElectionTerm => ({
  ...{ token: String(1_700_000_000_000_000 + token), holder, startMs: start * 1000 },
  ...{ endMs: end === null ? null : end * 1000, cause, grantedUntilMs: ((end ?? start) + 3) * 1000 },
});

/** The election at a second, led by the first of the terms, newest first. */
export function electionAt(now: number, ...terms: ElectionTerm[]): KnownElection {
  const [{ holder, token, startMs }] = terms;
  return {
    ...{ type: 'known', name: 'jobs', nowMs: now * 1000, candidates: [{ id: 'w5', priority: 0 }], terms },
    ...{ conflicts: 0 },
    leader: {
      ...{ type: 'led', holder, token, sinceMs: startMs, remainingMs: 2_000, ttlMs: 3_000 },
      evicted: false,
    },
  };
}

const UNTOUCHED: DemoResource = { written: 0, late: 0, refused: 0, latest: [], notable: [] };

/** A demo of five processes with these faults, oldest first: who, what, and at which second. */
export function demoWith(...faults: [string, DemoFaultType, number][]): DemoSnapshot {
  return {
    processes: ['w1', 'w2', 'w3', 'w4', 'w5'].map((id) => ({
      ...{ id, pid: 1, condition: 'running', token: null, renewedMs: null, problem: null },
    })),
    faults: faults.map(([id, type, at]) => ({ id, type, atMs: at * 1000 })).reverse(),
    ledger: UNTOUCHED,
    file: UNTOUCHED,
  };
}
