/** Claims about production run the code of production: the rules of leases, of shard groups and of the queue in ZooKeeper. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as leaseRow from '../../hustings/src/lease/core/lease-row.ts';
import * as watchQueue from '../../hustings/src/lease/core/watch-queue.ts';
import * as shardPlan from '../../hustings/src/shards/core/shard-plan.ts';
import type { Claim, Finding } from '../src/claim.ts';
import { Experiment } from '../src/experiment.ts';
import { families } from '../src/families.ts';

vi.mock(import('../../hustings/src/lease/core/lease-row.ts'), { spy: true });
vi.mock(import('../../hustings/src/lease/core/watch-queue.ts'), { spy: true });
vi.mock(import('../../hustings/src/shards/core/shard-plan.ts'), { spy: true });

const studies = families.find(({ name }) => name === 'production')!.rows.flatMap((row) => row.studies);

/** The rules that each measured claim runs. The claim about two leaders is about elections, and runs one. */
const RULES = {
  'leases/one': [leaseRow.acquire, leaseRow.renew],
  'leases/token': [leaseRow.acquire, leaseRow.renew],
  'leases/heartbeat': [leaseRow.acquire, leaseRow.renew],
  'good-election/two-leaders': [],
  'predecessor-watch/smallest': [leaseRow.acquire, watchQueue.watchedNode, watchQueue.afterWatching],
  'predecessor-watch/predecessor': [leaseRow.acquire, watchQueue.watchedNode, watchQueue.afterWatching],
  'shards/owner': [leaseRow.acquire, leaseRow.renew, leaseRow.release, shardPlan.stepsOf],
};
type Measured = keyof typeof RULES;

function measure(id: string): Finding {
  const study = studies.find(({ claims }) => claims.some((claim) => claim.id === id))!;
  const findings = study.measure(new Experiment({ seed: 3, quick: true }));
  return findings[study.claims.findIndex((claim) => claim.id === id)];
}

// A spy that is reset calls the original again.
afterEach(() => vi.resetAllMocks());

describe('the claims about production', () => {
  test('are each measured by rules of this table, or out of scope', () => {
    const claims: Claim[] = studies.flatMap((study) => study.claims);
    const measured = claims.filter(({ method }) => method !== 'out of scope').map(({ id }) => id);
    expect(measured.sort()).toEqual(Object.keys(RULES).sort());
  });

  test.each(Object.entries(RULES))('%s runs the rules that services run', (id, rules) => {
    vi.clearAllMocks();
    expect(measure(id).verdict).toMatch(/confirmed|illustrated/);
    for (const rule of rules) expect(vi.mocked(rule as () => unknown).mock.calls.length).toBeGreaterThan(100);
  });
});

describe('a wrong rule refutes the claim', async () => {
  const { acquire } = await vi.importActual<typeof leaseRow>('../../hustings/src/lease/core/lease-row.ts');
  const { stepsOf } = await vi.importActual<typeof shardPlan>('../../hustings/src/shards/core/shard-plan.ts');
  const refutes = (id: Measured): void => expect(measure(id).verdict).toBe('refuted');

  test('a lease is granted before it has expired', () => {
    vi.mocked(leaseRow).acquire.mockImplementation((row, ...rest) =>
      acquire({ ...row, holder: null, durationMs: 0 }, ...rest),
    );
    refutes('leases/one');
    refutes('shards/owner');
  });

  test('members claim no shard that is free', () => {
    vi.mocked(shardPlan).stepsOf.mockImplementation((view, own) => ({ ...stepsOf(view, own), claim: [] }));
    refutes('shards/owner');
  });

  test('members hand no shard over', () => {
    vi.mocked(shardPlan).stepsOf.mockImplementation((view, own) => ({ ...stepsOf(view, own), handOver: [] }));
    refutes('shards/owner');
  });

  test('all watch the first node: a failure notifies more than one', () => {
    vi.mocked(watchQueue).watchedNode.mockImplementation((nodes, own) => {
      const first = nodes.toSorted()[0];
      return first === own ? { type: 'first' } : { type: 'predecessor', node: first };
    });
    expect(measure('predecessor-watch/smallest').verdict).toBe('confirmed');
    refutes('predecessor-watch/predecessor');
  });

  test('a candidate asks before its turn', () => {
    vi.mocked(watchQueue).watchedNode.mockImplementation(() => ({ type: 'first' }));
    refutes('predecessor-watch/smallest');
  });

  test('a candidate does not ask although its turn has come', () => {
    vi.mocked(watchQueue).afterWatching.mockImplementation(() => 'wait');
    refutes('predecessor-watch/smallest');
  });
});
