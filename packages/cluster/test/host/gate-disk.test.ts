/** The quorum gate over disks that are slow, or fail. */
import { expect, test, vi } from 'vitest';
import { QuorumGate } from '../../src/gate/quorum-gate.ts';
import { NO_SUPPORT } from '../../src/gate/supporter.ts';

const LEASE_MS = 1_000;
const MARGIN_MS = 0.12 * LEASE_MS;

test('disks that need longer than a lease delay a lead, and do not prevent it', async () => {
  vi.useFakeTimers();
  try {
    const members = [1, 2, 3];
    const leads: string[] = [];
    const gates: QuorumGate[] = members.map(
      (id) =>
        new QuorumGate(
          { id, members, timing: { leaseMs: LEASE_MS, marginMs: MARGIN_MS }, support: NO_SUPPORT },
          {
            nowMs: () => Date.now(),
            supportMs: () => Date.now(),
            random: () => 0.5,
            send: (to, frame) => void setTimeout(() => gates[to - 1].receive(id, frame), 5),
            save: () => new Promise((resolve) => setTimeout(resolve, 3 * LEASE_MS)),
            onLead: (token) => leads.push(`${id} ${token}`),
          },
        ),
    );
    for (const gate of gates) gate.decided(3);
    const ticks = setInterval(() => {
      for (const gate of gates) gate.tick();
    }, LEASE_MS / 20);
    await vi.advanceTimersByTimeAsync(20 * LEASE_MS);
    clearInterval(ticks);
    expect([leads, gates[2].token]).toEqual([['3 1'], 1]);
  } finally {
    vi.useRealTimers();
  }
});

test('a member whose claim was saved after its election had named another leader leads with the next token', async () => {
  vi.useFakeTimers();
  try {
    let saveMs = 5;
    const answering = new Set([1, 2, 3]);
    const leads: unknown[] = [];
    const gates = [1, 2, 3].map(
      (id): QuorumGate =>
        new QuorumGate(
          {
            ...{ id, members: [1, 2, 3], support: NO_SUPPORT },
            timing: { leaseMs: LEASE_MS, marginMs: MARGIN_MS },
          },
          {
            nowMs: () => Date.now(),
            supportMs: () => Date.now(),
            random: () => 0.5,
            send: (to, frame) =>
              void setTimeout(() => {
                if (answering.has(id) && answering.has(to)) gates[to - 1].receive(id, frame);
              }, 5),
            save: () => new Promise((resolve) => setTimeout(resolve, saveMs)),
            onLead: (token) => leads.push([id, token]),
          },
        ),
    );
    const ticks = setInterval(() => {
      for (const gate of gates) gate.tick();
    }, LEASE_MS / 20);
    const decide = (leader: number, ids: readonly number[]): void => {
      for (const id of ids) gates[id - 1].decided(leader);
    };
    await vi.advanceTimersByTimeAsync(1.5 * LEASE_MS);
    saveMs = 3 * LEASE_MS;
    decide(1, [1, 2, 3]);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 10);
    saveMs = 5;
    // Member 3 hears nothing of 2.
    decide(2, [1, 2]);
    await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
    answering.delete(2);
    decide(1, [1, 3]);
    await vi.advanceTimersByTimeAsync(20 * LEASE_MS);
    clearInterval(ticks);
    expect(leads.at(-1)).toEqual([1, gates[0].token]);
    expect(gates[0].token).toBeGreaterThan(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a gate whose support cannot be saved is closed; what a caller of it throws is not taken for that', async () => {
  const thrown: unknown[] = [];
  const note = (error: unknown): void => void thrown.push(error);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
  try {
    const open = (save: () => Promise<void>, send: () => void): QuorumGate => {
      const clock = { nowMs: () => LEASE_MS, supportMs: () => LEASE_MS, random: () => 0 };
      const timing = { leaseMs: 0, marginMs: 0 };
      const host = { ...clock, save, send, onLead: () => undefined };
      const gate = new QuorumGate({ id: 1, members: [1, 2, 3], timing, support: NO_SUPPORT }, host);
      gate.decided(2);
      return gate;
    };
    const full = open(
      () => Promise.reject(new Error('ENOSPC')),
      () => undefined,
    );
    full.receive(2, { type: 'support', about: 'request', token: 1, round: 1, version: 1 });
    await expect.poll(() => full.dueAtMs).toBe(Number.POSITIVE_INFINITY);
    const failing = open(
      () => Promise.resolve(),
      () => {
        throw new Error('of the wire');
      },
    );
    failing.receive(2, { type: 'support', about: 'request', token: 1, round: 1, version: 1 });
    await expect.poll(() => thrown).toEqual([new Error('of the wire')]);
    expect(failing.dueAtMs).toBeLessThan(Number.POSITIVE_INFINITY);
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
});
