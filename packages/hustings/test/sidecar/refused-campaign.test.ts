import { expect, it } from 'vitest';
import { until } from '../../../../test-kit/until.ts';
import { ServedElection } from '../../src/sidecar/served-election.ts';
import { FailingStore } from '../elector/failing-store.ts';

it('a campaign after the first waits while the store refuses it, and leads once the store accepts it', async () => {
  const failing = new FailingStore();
  const options = { store: failing.store, name: 'billing', id: 'a', ttlMs: 5_000 };
  const election = new ServedElection(options, () => {}, []);
  const proof = { progressWithinMs: null, stream: () => {} };
  const first = election.campaign(proof);
  await until(() => first.state === 'leading');
  await first.release();
  failing.failure = 'denied';
  const { calls } = failing;
  const second = election.campaign(proof);
  await until(() => failing.calls >= calls + 3 || second.state === 'ended');
  expect(second.state).toBe('waiting');
  expect(election.health()).toMatchObject({ healthy: false, state: 'waiting' });
  failing.failure = 'none';
  await until(() => second.state === 'leading');
  expect(election.health()).toMatchObject({ healthy: true });
  await second.release();
  await election.elector.close();
});
