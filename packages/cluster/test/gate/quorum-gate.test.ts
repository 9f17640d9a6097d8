/** The gate between members whose clocks, links, disks and elections are as bad as the model allows, in virtual time. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../study/src/kernel/random.ts';
import { type GateHost, QuorumGate } from '../../src/gate/quorum-gate.ts';
import type { SupportFrame } from '../../src/gate/support-frame.ts';
import { NO_SUPPORT, type Support } from '../../src/gate/supporter.ts';

const LEASE_MS = 1_000;
/** Clocks run at 0.95 to 1.05: the fastest supporter against the slowest leader. */
const MARGIN_MS = 0.12 * LEASE_MS;
const RUN_MS = 180_000;
const HEALED_MS = 30 * LEASE_MS;

interface Lead {
  readonly id: number;
  readonly token: number;
}

interface Outcome {
  readonly leads: readonly Lead[];
  readonly overlaps: number;
  readonly fallen: number;
  /** A member led within HEALED_MS after all was well. */
  readonly isLedAtEnd: boolean;
}

function simulateGate(seed: number, size: number, marginMs = MARGIN_MS, spread = 0.05): Promise<Outcome> {
  const random = new Random(seed, 'gate');
  const chance = (percent: number): boolean => random.below(100) < percent;
  const members = Array.from({ length: size }, (_, at) => at + 1);
  const rates = members.map(() => 1 - spread + (spread * random.below(201)) / 100);
  const disks: Support[] = members.map(() => NO_SUPPORT);
  const events: { readonly atMs: number; readonly run: () => void }[] = [];
  const leads: Lead[] = [];
  let nowMs = 0;
  let overlaps = 0;
  let fallen = 0;
  const later = (delayMs: number, run: () => void): void => {
    const atMs = nowMs + delayMs;
    const place = events.findIndex((event) => event.atMs > atMs);
    events.splice(place < 0 ? events.length : place, 0, { atMs, run });
  };
  const isHealed = (): boolean => nowMs >= RUN_MS;
  const cut = new Set<string>();
  const gates: QuorumGate[] = [];
  const incarnations = members.map(() => 0);
  const open = (at: number): void => {
    const incarnation = ++incarnations[at];
    const isAlive = (): boolean => incarnations[at] === incarnation;
    const host: GateHost = {
      nowMs: () => nowMs * rates[at],
      supportMs: () => nowMs * rates[at],
      random: () => random.below(1_000) / 1_000,
      send(to, frame: SupportFrame) {
        const place = to - 1;
        const receiver = incarnations[place];
        if (cut.has(`${at} ${place}`) || (!isHealed() && chance(5))) return;
        const delayMs = !isHealed() && chance(10) ? random.below(3 * LEASE_MS) : random.below(40);
        later(delayMs, () => {
          if (incarnations[place] === receiver) gates[place].receive(members[at], { ...frame });
        });
      },
      save: (support) =>
        new Promise((resolve) =>
          later(!isHealed() && chance(20) ? random.below(3 * LEASE_MS) : random.below(30), () => {
            // A crash before the disk has it loses it, and what would follow.
            if (!isAlive()) return;
            disks[at] = support;
            resolve();
          }),
        ),
      onLead(token) {
        if (token === null || !isAlive()) return;
        if (leads.some((lead) => lead.token >= token)) fallen++;
        leads.push({ id: members[at], token });
      },
    };
    gates[at] = new QuorumGate(
      { id: members[at], members, timing: { leaseMs: LEASE_MS, marginMs }, support: disks[at] },
      host,
    );
  };
  for (const at of members.keys()) open(at);
  const act = (): void => {
    if (isHealed()) {
      cut.clear();
      const elected = members[random.below(size)];
      for (const gate of gates) gate.decided(elected);
      return;
    }
    const at = random.below(size);
    const dice = random.below(100);
    if (dice < 45) gates[at].decided(members[chance(70) ? 0 : random.below(size)]);
    else if (dice < 55) cut.add(`${at} ${random.below(size)}`);
    else if (dice < 70) cut.clear();
    else if (dice < 75) gates[at].release();
    else if (dice < 82) open(at);
    later(random.below(LEASE_MS), act);
  };
  act();
  const step = async (): Promise<Outcome> => {
    let isLedAtEnd = false;
    while (nowMs < RUN_MS + HEALED_MS) {
      const event = events.shift();
      const tickMs = Math.min(...gates.map((gate, at) => gate.dueAtMs / rates[at]));
      if (event !== undefined && event.atMs <= tickMs) {
        nowMs = Math.max(nowMs, event.atMs);
        event.run();
      } else {
        if (event !== undefined) events.unshift(event);
        // A little later, because the clock of a member is rounded.
        nowMs = Math.max(nowMs, tickMs + 0.001);
        for (const gate of gates) gate.tick();
      }
      // The promises of saves run between two events.
      await null;
      await null;
      await null;
      const leading = gates.filter(({ token }) => token !== null).length;
      if (leading > 1) overlaps++;
      isLedAtEnd = isHealed() && leading === 1;
    }
    return { leads, overlaps, fallen, isLedAtEnd };
  };
  return step();
}

test.each([3, 5])(
  '%i members: one leads at a time, and tokens rise, whatever the elections say; one leads when they agree',
  async (size) => {
    let leads = 0;
    for (let seed = 1; seed <= 50; seed++) {
      const outcome = await simulateGate(seed, size);
      expect({ seed, ...outcome, leads: [] }).toEqual({
        ...{ seed, leads: [], overlaps: 0, fallen: 0, isLedAtEnd: true },
      });
      leads += outcome.leads.length;
    }
    expect(leads, 'a gate that nobody passes proves nothing').toBeGreaterThan(500);
  },
  60_000,
);

test('without a margin, clocks of different rates let two members lead', async () => {
  let overlaps = 0;
  for (let seed = 1; seed <= 100 && overlaps === 0; seed++)
    overlaps += (await simulateGate(seed, 3, 0, 0.3)).overlaps;
  expect(overlaps).toBeGreaterThan(0);
}, 60_000);

test('a wall clock that is set ahead at a supporter does not free it early, and ends a lead', async () => {
  let nowMs = 0;
  let setAheadMs = 0;
  const sent: SupportFrame[] = [];
  const leads: (number | null)[] = [];
  const host: GateHost = {
    nowMs: () => nowMs + setAheadMs,
    supportMs: () => nowMs,
    random: () => 0,
    send: (_, frame) => sent.push(frame),
    save: () => Promise.resolve(),
    onLead: (token) => leads.push(token),
  };
  const timing = { leaseMs: LEASE_MS, marginMs: 0 };
  const gate = new QuorumGate({ id: 1, members: [1, 2, 3], timing, support: NO_SUPPORT, version: 1 }, host);
  nowMs = LEASE_MS;
  gate.decided(2);
  gate.receive(2, { type: 'support', about: 'request', token: 1, round: 1, version: 1 });
  await expect.poll(() => sent.at(-1)).toMatchObject({ about: 'grant' });
  setAheadMs = 3_600_000;
  gate.decided(3);
  gate.receive(3, { type: 'support', about: 'request', token: 2, round: 1, version: 1 });
  expect(sent.at(-1)).toMatchObject({ about: 'refusal' });
  nowMs += LEASE_MS;
  gate.decided(1);
  gate.tick();
  await expect.poll(() => sent.at(-1)).toMatchObject({ about: 'request' });
  const { token, round } = sent.at(-1) as SupportFrame & { round: number };
  gate.receive(2, { type: 'support', about: 'grant', token, round });
  expect([leads, gate.token]).toEqual([[token], token]);
  expect(gate.lapses).toBe(0);
  setAheadMs *= 2;
  expect(gate.token).toBeNull();
  gate.tick();
  gate.tick();
  expect([leads, gate.lapses]).toEqual([[token, null], 1]);
});

test('a supporter that is started again with a shorter lease is bound for the longer one, which is on disk', async () => {
  let nowMs = 0;
  let disk: Support = NO_SUPPORT;
  const sent: SupportFrame[] = [];
  const host: GateHost = {
    nowMs: () => nowMs,
    supportMs: () => nowMs,
    random: () => 0,
    send: (_, frame) => sent.push(frame),
    save: async (support) => {
      disk = support;
    },
    onLead: () => undefined,
  };
  const open = (leaseMs: number): QuorumGate =>
    new QuorumGate({ id: 1, members: [1, 2, 3], timing: { leaseMs, marginMs: 0 }, support: disk }, host);
  const ask = async (gate: QuorumGate, from: number, token: number): Promise<string | undefined> => {
    gate.decided(from);
    gate.receive(from, { type: 'support', about: 'request', token, round: 1, version: 1 });
    for (let turn = 0; turn < 10; turn++) await null;
    return sent.at(-1)?.about;
  };
  const before = open(15 * LEASE_MS);
  nowMs = 15 * LEASE_MS;
  expect(await ask(before, 2, 1)).toBe('grant');
  before.close();
  // Member 2 still counts on its support.
  const after = open(LEASE_MS);
  nowMs += 15 * LEASE_MS - 1;
  expect(await ask(after, 3, 2)).toBe('refusal');
  nowMs += 1;
  expect(await ask(after, 3, 2)).toBe('grant');
  expect(disk).toMatchObject({ token: 2, leaseMs: LEASE_MS });
});

describe('a member whose election names one leader', () => {
  /** What the member answers to another member, which asks for the support of a larger token. */
  async function answerTo(from: number, Gate: typeof QuorumGate): Promise<SupportFrame | undefined> {
    let nowMs = 0;
    const sent: SupportFrame[] = [];
    const host: GateHost = {
      nowMs: () => nowMs,
      supportMs: () => nowMs,
      random: () => 0,
      send: (_, frame) => sent.push(frame),
      save: () => Promise.resolve(),
      onLead: () => undefined,
    };
    const timing = { leaseMs: LEASE_MS, marginMs: 0 };
    const gate = new Gate({ id: 1, members: [1, 2, 3], timing, support: NO_SUPPORT, version: 1 }, host);
    nowMs = LEASE_MS;
    gate.decided(2);
    gate.receive(from, { type: 'support', about: 'request', token: 7, round: 1, version: 1 });
    await expect.poll(() => sent.length).toBe(1);
    return sent[0];
  }

  class SupportsAnybody extends QuorumGate {
    override receive(from: number, frame: SupportFrame): string | null {
      if (frame.about === 'request') this.decided(from);
      return super.receive(from, frame);
    }
  }

  test('supports that leader, and no other member, even if it is bound to nobody', async () => {
    expect(await answerTo(2, QuorumGate)).toMatchObject({ about: 'grant', token: 7 });
    expect(await answerTo(3, QuorumGate)).toMatchObject({ about: 'refusal', token: 7 });
  });

  test('and a mutant that supports every member that asks is caught', async () => {
    expect(await answerTo(3, SupportsAnybody)).toMatchObject({ about: 'grant' });
  });
});
