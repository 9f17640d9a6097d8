/** One faulty member names tokens of the quorum gate that are far ahead. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { frameProblem } from '../../src/frame-fields.ts';
import { ListFollower } from '../../src/gate/list-follower.ts';
import { QuorumGate } from '../../src/gate/quorum-gate.ts';
import type { SupportFrame } from '../../src/gate/support-frame.ts';
import { NO_SUPPORT, type Support } from '../../src/gate/supporter.ts';
import { TermIncrementLimiter } from '../../src/gate/term-increment-limiter.ts';
import { GatedLead } from '../../src/host/gated-lead.ts';
import type { Frame } from '../../src/transport.ts';
import { SimulatedClock } from '../simulated-clock.ts';
import { VirtualTime } from '../virtual-time.ts';

const LEASE_MS = 1_000;
const IDS = [1, 2, 3];
const LIST = { version: 1, digest: '', members: IDS };
const LARGEST = Number.MAX_SAFE_INTEGER;

afterEach(() => void vi.restoreAllMocks());

/** Three gates whose frames arrive at once, with the check of their fields in between. */
function gates(supportOf: (id: number) => Support = () => NO_SUPPORT) {
  let nowMs = 0;
  const queue: { readonly from: number; readonly to: number; readonly frame: SupportFrame }[] = [];
  const refused: string[] = [];
  const timing = { leaseMs: LEASE_MS, marginMs: 100 };
  const all = new Map(
    IDS.map((id) => [
      id,
      new QuorumGate(
        { id, members: IDS, timing, support: supportOf(id) },
        {
          nowMs: () => nowMs,
          supportMs: () => nowMs,
          random: () => 0.5,
          send: (to, frame) => queue.push({ from: id, to, frame }),
          save: async () => undefined,
          onLead: () => undefined,
        },
      ),
    ]),
  );
  const send = (from: number, to: number, frame: SupportFrame): void => {
    const problem = frameProblem(frame as SupportFrame & Frame) ?? all.get(to)?.receive(from, frame) ?? null;
    if (problem !== null) refused.push(problem);
  };
  /** All elections name this leader; the token with which it leads after a while. */
  const tokenOf = async (leader: number): Promise<number | null> => {
    for (const gate of all.values()) gate.decided(leader);
    for (let round = 0; round < 100; round++) {
      nowMs += LEASE_MS / 20;
      for (const gate of all.values()) gate.tick();
      for (let turn = 0; turn < 10; turn++) {
        await null;
        for (const { from, to, frame } of queue.splice(0)) send(from, to, frame);
      }
    }
    return all.get(leader)?.token ?? null;
  };
  return { refused, send, tokenOf };
}

const request: SupportFrame = { type: 'support', about: 'request', token: LARGEST, round: 1, version: 1 };
const refusal: SupportFrame = { type: 'support', about: 'refusal', token: 1, largest: LARGEST };

describe('the largest token', () => {
  test('is refused in one line, and the next leader finds a majority', async () => {
    const { refused, send, tokenOf } = gates();
    expect(await tokenOf(2)).toBe(1);
    // Member 1 was elected, and is faulty.
    expect(await tokenOf(1)).toBe(2);
    for (const to of [2, 3]) for (const frame of [request, refusal]) send(1, to, frame);
    expect(refused).toHaveLength(4);
    expect(refused[0]).toMatch(/^its token 9007199254740991 is too far above 2, the largest known here: /);
    expect(refused[0].length).toBeLessThan(200);
    expect(await tokenOf(3)).toBe(3);
  });

  test.each([
    ['a request', request],
    ['a refusal', refusal],
  ] as const)('without the check no member leads after %s', async (_, frame) => {
    vi.spyOn(TermIncrementLimiter.prototype, 'refusal').mockReturnValue(null);
    const { send, tokenOf } = gates();
    await tokenOf(2);
    await tokenOf(1);
    for (const to of [2, 3]) send(1, to, frame);
    expect(await tokenOf(3)).toBeNull();
  });
});

test('a member without a token accepts the large first one of the others', async () => {
  const { refused, tokenOf } = gates((id) => (id === 3 ? NO_SUPPORT : { ...NO_SUPPORT, token: 2 ** 40 }));
  expect(await tokenOf(3)).toBe(2 ** 40 + 1);
  expect(refused).toEqual([]);
});

describe('who leads, as a follower knows it', () => {
  async function follower() {
    const time = new VirtualTime();
    const lead = new GatedLead({
      ...{ id: 2, members: IDS, leaseMs: LEASE_MS, support: () => NO_SUPPORT },
      follower: new ListFollower({ self: 2, stored: LIST, list: LIST, save: async () => undefined }),
      clock: new SimulatedClock(time, 1),
      send: () => undefined,
      save: async () => undefined,
      admits: () => true,
      random: () => 0.5,
      onChange: () => undefined,
    });
    const says = async (from: number, token: number): Promise<number | null> => {
      lead.receive(from, { type: 'support', about: 'request', token, round: 1, version: 1, leads: true });
      await time.runUntil(time.nowMs + 10);
      return lead.leader?.token ?? null;
    };
    await time.runUntil(LEASE_MS);
    return { lead, says, time };
  }

  test('a member that is not elected cannot take the place of the leader', async () => {
    const { lead, says } = await follower();
    lead.decided(3);
    await says(3, 7);
    expect(await says(1, 500_000)).toBe(7);
    expect(await says(3, 8)).toBe(8);
    lead.close();
  });

  test('one that was elected and named a large token is forgotten after a lease', async () => {
    const { lead, says, time } = await follower();
    lead.decided(1);
    expect(await says(1, 500_000)).toBe(500_000);
    lead.decided(3);
    expect(await says(3, 7)).toBeNull();
    await time.runUntil(time.nowMs + LEASE_MS);
    expect(await says(3, 7)).toBe(7);
    lead.close();
  });

  test('one that says that it leads before it is elected here is believed when it is', async () => {
    const { lead, says } = await follower();
    expect(await says(3, 7)).toBeNull();
    lead.decided(3);
    expect(lead.leader).toEqual({ leader: 3, token: 7 });
    lead.close();
  });
});
