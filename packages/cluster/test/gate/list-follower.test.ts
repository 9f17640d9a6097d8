/** A member whose list is stored late, in virtual time. */
import { expect, test } from 'vitest';
import { ListFollower } from '../../src/gate/list-follower.ts';
import { NO_SUPPORT, raisedTo, type Support } from '../../src/gate/supporter.ts';
import { GatedLead } from '../../src/host/gated-lead.ts';
import type { Frame } from '../../src/transport.ts';
import { SimulatedClock } from '../simulated-clock.ts';
import { VirtualTime } from '../virtual-time.ts';

const LEASE_MS = 1_000;
const DIGEST = 'ab'.repeat(32);
const list = (version: number) => ({ version, digest: DIGEST, members: [1, 2, 3] });

/** Member 2, which has stored version 1 and uses version 2; `others` are the lists that it may hear of. */
async function follower() {
  const time = new VirtualTime();
  const sent: (Frame & { readonly to: number })[] = [];
  let support: Support = NO_SUPPORT;
  const lists = new ListFollower({
    ...{ self: 2, stored: list(1), list: list(2) },
    save: async (token: number) => {
      support = raisedTo(support, token);
    },
  });
  const lead = new GatedLead({
    ...{ id: 2, members: [1, 2, 3], leaseMs: LEASE_MS, follower: lists },
    support: () => support,
    clock: new SimulatedClock(time, 1),
    send: (to, frame) => void sent.push({ ...frame, to }),
    save: async (next) => {
      support = next;
    },
    admits: () => true,
    random: () => 0.5,
    onChange: () => undefined,
  });
  lead.start();
  const run = async (ms: number): Promise<void> => {
    time.hasSettled = true;
    await time.runUntil(time.nowMs + ms);
  };
  const granted = (token: number): boolean =>
    sent.some(({ about, token: its }) => about === 'grant' && its === token);
  const ask = async (version: number, token: number): Promise<boolean> => {
    lead.receive(3, { type: 'support', about: 'request', token, round: 1, version });
    await run(20);
    return granted(token);
  };
  const hear = (from: number, version: number, token: number): string | null =>
    lead.receive(from, { type: 'support', about: 'stored', version, digest: DIGEST, token });
  lead.decided(3);
  return { ask, hear, lead, lists, run, sent };
}

test('it asks for the lists of others until it has stored its own, supports nobody for a lease after that, and no earlier list', async () => {
  const { ask, hear, lead, lists, run, sent } = await follower();
  await run(10 * LEASE_MS);
  expect(sent.filter(({ about }) => about === 'inquiry').length).toBeGreaterThan(20);
  expect(await ask(2, 6)).toBe(false);
  expect(hear(1, 1, 5)).toBeNull();
  await run(50);
  expect(lists.isStored).toBe(true);
  const asked = sent.length;
  await run(0.8 * LEASE_MS);
  expect(await ask(2, 6)).toBe(false);
  await run(0.2 * LEASE_MS);
  expect(await ask(1, 6)).toBe(false);
  // It knows of token 5 by another member.
  expect(await ask(2, 5)).toBe(false);
  expect(await ask(2, 6)).toBe(true);
  expect(sent.slice(asked).filter(({ about }) => about === 'inquiry')).toEqual([]);
  lead.close();
});

test('a member that has recovered before its list is stored does not use the tokens again that its list was stored with', async () => {
  const { ask, hear, lead, lists, run } = await follower();
  lead.recover({ token: 3, leader: 1 });
  expect(hear(1, 1, 5)).toBeNull();
  await run(50);
  expect(lists.isStored).toBe(true);
  await run(LEASE_MS);
  expect(await ask(2, 5)).toBe(false);
  expect(await ask(2, 6)).toBe(true);
  lead.close();
});

test('an absurd token does not count, nor another list of the same version', async () => {
  const { hear, lead, lists, run } = await follower();
  expect(hear(1, 1, Number.MAX_SAFE_INTEGER)).toContain('is too far above');
  lead.receive(3, { type: 'support', about: 'stored', version: 2, digest: 'cd'.repeat(32), token: 1 });
  lead.receive(1, { type: 'support', about: 'stored', version: 1, digest: 'cd'.repeat(32), token: 1 });
  await run(LEASE_MS);
  expect(lists.isStored).toBe(false);
  hear(3, 2, 1);
  await run(50);
  expect(lists.isStored).toBe(true);
  lead.close();
});
