// Tests of a service with node:test. With Vitest and Jest they look the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, createElector, type LeaseStore } from 'hustings';
import { FenceGate, newestIn } from 'hustings/lease/fence';
import { createTestKit } from 'hustings/testing';

/** The service under test. In production it is called with the URL of a store, and without a clock. */
function startMailer({ store, clock }: { store: LeaseStore | string; clock?: Clock }, sent: string[]) {
  const elector = createElector({ store, clock, name: 'mailer', onEvent: () => {} });
  const mailer = { elector, isSending: false, ended: Promise.resolve() };
  mailer.ended = elector.campaign(async (lead) => {
    mailer.isSending = true;
    sent.push(`hello from term ${lead.token}`);
    await lead.ended;
    mailer.isSending = false;
  });
  return mailer;
}

test('my work stops when the lease is lost', async () => {
  const kit = createTestKit();
  const mailer = startMailer(kit, []);
  await kit.settle();
  assert.equal(mailer.isSending, true);

  await kit.loseLease('mailer');
  assert.equal(mailer.isSending, false);
});

test('my work stops when the store is down, and continues when it is back', async () => {
  const kit = createTestKit();
  const mailer = startMailer(kit, []);
  await kit.settle();

  kit.breakStore();
  await kit.advance(15_000); // one TTL
  assert.equal(mailer.isSending, false);

  kit.repairStore();
  await kit.until(() => mailer.isSending);
});

test('my job runs once, on two replicas', async () => {
  const kit = createTestKit();
  const sent: string[] = [];
  startMailer(kit, sent);
  startMailer(kit, sent);
  await kit.advance(60_000);
  assert.equal(sent.length, 1);
});

test('my service waits while another replica leads, and takes over when that one dies', async () => {
  const kit = createTestKit();
  const other = await kit.elect('mailer', 'replica-2');
  const mailer = startMailer(kit, []);
  await kit.advance(60_000);
  assert.equal(mailer.isSending, false);

  other.crash();
  await kit.advance(20_000); // the lease of 15 s expires
  assert.equal(mailer.isSending, true);
});

test('my service starts without a store', async () => {
  const kit = createTestKit();
  kit.breakStore();
  const { elector } = startMailer(kit, []);
  await kit.advance(60_000);
  assert.equal(elector.health().state, 'waiting');
  kit.repairStore();
  await kit.until(() => elector.metrics.isLeader);
});

test('my side effects are fenced: a late write of a suspended process is refused', async () => {
  const kit = createTestKit();
  const elector = createElector({ store: kit.store, clock: kit.clock, name: 'mailer' });
  const gate = new FenceGate({ name: 'mailer', newest: newestIn(kit.store) });
  const lead = await elector.acquire();

  kit.suspend(20_000); // nothing of this process runs, and its lease expires
  const other = await kit.elect('mailer', 'replica-2');
  await gate.run(other, () => 'written');
  await assert.rejects(
    gate.run(lead.term, () => 'written'),
    { refusal: 'stale' },
  );
});
