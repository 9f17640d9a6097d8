import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/lease/core/store-error.ts';
import {
  FenceGate,
  FenceRejections,
  type GateOptions,
  MemoryFenceMarks,
  newestIn,
  plainFence,
  signFence,
} from '../../../src/lease/fence/index.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';
import { expectLaw, falls, race, type Sink } from './fence-law.ts';

const name = 'billing';
const MOST = 2n ** 63n - 1n;
const fence = (token: bigint) => ({ name, token });

/** A resource behind a gate, and its wrong twin without one. The work takes as many turns as the schedule says. */
function resource(gate: FenceGate | null, turns: () => Promise<void>): Sink {
  const log: bigint[] = [];
  const write = async (token: bigint): Promise<void> => {
    await turns();
    log.push(token);
  };
  return {
    write: (token) => (gate === null ? write(token) : gate.run(fence(token), () => write(token))),
    accepted: async () => log,
  };
}

/** Writers with random tokens, in a random order that fast-check decides and replays. */
const schedules = fc.tuple(
  fc.scheduler(),
  fc.array(fc.array(fc.bigInt(1n, 9n), { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
);

describe('a gate', () => {
  it('lets tokens through in rising order only, whatever the interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(schedules, async ([s, writers]) => {
        fc.pre(writers.flat().length > 0);
        const sink = resource(new FenceGate({ name }), () => s.schedule(Promise.resolve()));
        await s.waitFor(expectLaw(sink, writers));
      }),
    );
  });

  it('is what makes it so: without the check the same property fails', async () => {
    const seen = await fc.check(
      fc.asyncProperty(schedules, async ([s, writers]) => {
        const sink = resource(null, () => s.schedule(Promise.resolve()));
        await s.waitFor(race(sink, writers));
        return !falls(await sink.accepted());
      }),
    );
    expect(seen.failed).toBe(true);
  });

  it('checks and writes in one step: a check that comes before the write fails too', async () => {
    const seen = await fc.check(
      fc.asyncProperty(schedules, async ([s, writers]) => {
        const marks = new MemoryFenceMarks();
        const log: bigint[] = [];
        const write = async (token: bigint): Promise<void> => {
          if ((await marks.raise(name, token)) !== token) return;
          await s.schedule(Promise.resolve());
          log.push(token);
        };
        await s.waitFor(race({ write, accepted: async () => log }, writers));
        return !falls(log);
      }),
    );
    expect(seen.failed).toBe(true);
  });

  it('has let the work of the older term settle before that of the newer begins', async () => {
    const gate = new FenceGate({ name });
    const log: string[] = [];
    let finish = (): void => {};
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const older = gate.run(fence(1n), async (passage) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
        begin();
      });
      log.push(`older ends, current: ${passage.isCurrent()}`);
    });
    await begun;
    const newer = gate.run(fence(2n), () => log.push('newer begins'));
    const late = gate.run(fence(1n), () => log.push('never'));
    await expect(late).rejects.toMatchObject({ refusal: 'stale' });
    expect(log).toEqual([]);
    finish();
    await Promise.all([older, newer]);
    expect(log).toEqual(['older ends, current: false', 'newer begins']);
  });

  it('runs the work of one term at once', async () => {
    const gate = new FenceGate({ name });
    let meet = (): void => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    await Promise.all([gate.run(fence(1n), () => met), gate.run(fence(1n), () => meet())]);
  });

  it('goes on after work that failed', async () => {
    const gate = new FenceGate({ name });
    const failed = gate.run(fence(1n), () => Promise.reject(new Error('disk full')));
    await expect(failed).rejects.toThrow('disk full');
    await expect(gate.run(fence(2n), () => 'done')).resolves.toBe('done');
  });

  it('counts what it refuses, by kind', async () => {
    const rejections = new FenceRejections();
    const key = randomBytes(32);
    const gate = new FenceGate({ name, key, onRejected: rejections.count });
    await gate.pass(signFence({ name, token: 5n, key }));
    const bad = [
      signFence({ name, token: 4n, key }),
      signFence({ name: 'other', token: 9n, key }),
      signFence({ name, token: 9n, key: randomBytes(32) }),
      plainFence({ name, token: 9n }),
      fence(9n),
      'h1.',
    ];
    for (const each of bad) await expect(gate.pass(each)).rejects.toThrow();
    expect(rejections.byKind).toEqual({ stale: 1, forged: 3, foreign: 1, malformed: 1 });
    expect(rejections.total).toBe(6);
  });

  it('keeps the marks of two elections apart', async () => {
    const key = randomBytes(32);
    const gate = new FenceGate({ key });
    await gate.pass(signFence({ name: 'a', token: 9n, key }));
    await expect(gate.pass(signFence({ name: 'b', token: 1n, key }))).resolves.toMatchObject({ token: 1n });
  });

  it('is not opened by a key that is missing', () => {
    const unset = process.env.HUSTINGS_NO_SUCH_VARIABLE as string;
    expect(() => new FenceGate({ name, key: unset })).toThrow(/key must be text or bytes, not undefined/);
    expect(() => new FenceGate({ name, keys: [] })).toThrow(/at least one key/);
    expect(() => new FenceGate({ name, key: '' })).toThrow(/at least 32 bytes, not 0/);
    const newest = undefined as unknown as () => Promise<bigint>;
    expect(() => new FenceGate({ name, newest })).toThrow(/newest must be a function/);
  });

  it('that believes every bearer must be told its election', () => {
    expect(() => new FenceGate({})).toThrow(/^name, key or newest is required/);
  });
});

describe('a forged token 2^63 − 1', () => {
  const key = randomBytes(32);
  const gates: readonly [
    string,
    GateOptions,
    string | { name: string; token: bigint },
    string | { name: string; token: bigint },
  ][] = [
    [
      'at a gate that wants signatures',
      { name, key },
      plainFence(fence(MOST)),
      signFence({ ...fence(5n), key }),
    ],
    ['at a gate that asks the store', { name, newest: async () => 5n }, fence(MOST), fence(5n)],
    [
      'for an election that never was',
      { newest: async (asked) => (asked === name ? 5n : 0n) },
      plainFence({ name: 'none', token: 1n }),
      fence(5n),
    ],
  ];
  it.each(gates)('%s is refused, and the true leader goes on', async (_, options, forged, genuine) => {
    const marks = new MemoryFenceMarks();
    const gate = new FenceGate({ ...options, marks });
    await expect(gate.pass(forged)).rejects.toMatchObject({ refusal: 'forged' });
    expect(await marks.read(name)).toBe(0n);
    await expect(gate.pass(genuine)).resolves.toMatchObject({ token: 5n });
    await expect(gate.pass(forged)).rejects.toMatchObject({ refusal: 'forged' });
    await expect(gate.pass(genuine)).resolves.toMatchObject({ token: 5n });
  });

  it('shuts the leader out at a gate that believes every bearer: this is what the others are for', async () => {
    const gate = new FenceGate({ name });
    await gate.pass(fence(MOST));
    await expect(gate.pass(fence(5n))).rejects.toMatchObject({ refusal: 'stale' });
  });
});

describe('a gate that asks the store', () => {
  it('asks once a term, and believes what the store has given and no more', async () => {
    const store = new MemoryLeaseStore();
    const nextToken = async (): Promise<bigint> => {
      const nonce = String(Math.random());
      const rest = {
        id: 'a',
        ttlMs: 1_000,
        priority: 0,
        processProof: '',
        goneNonce: null,
        staleVersion: null,
        holdAtLeastMs: 0,
        registerMs: 0,
      };
      const [answer] = await store.acquire([{ name, nonce, ...rest }]);
      if (answer.type !== 'ok') throw new Error('expected the lease, which is free');
      await store.release([
        { name, nonce, token: answer.token, reason: 'released', successor: null, reserveMs: 0 },
      ]);
      return answer.token;
    };
    let asked = 0;
    const newest = newestIn(store);
    const gate = new FenceGate({
      newest: (each) => {
        asked++;
        return newest(each);
      },
    });
    const older = await nextToken();
    const newer = await nextToken();
    for (let i = 0; i < 5; i++) await gate.pass(fence(newer));
    await expect(gate.pass(fence(older))).rejects.toMatchObject({ refusal: 'stale' });
    expect(asked).toBe(1);
    await expect(gate.pass(fence(newer + 1n))).rejects.toMatchObject({ refusal: 'forged' });
    await expect(gate.pass({ name: 'none', token: 1n })).rejects.toMatchObject({ refusal: 'forged' });
    await gate.pass(fence(await nextToken()));
    expect(asked).toBe(4);
    await store.close();
  });

  it('refuses what has become stale while it asked', async () => {
    let answer = (_: bigint): void => {};
    const waiting = new Promise<bigint>((resolve) => {
      answer = resolve;
    });
    let asked = 0;
    const gate = new FenceGate({ name, newest: () => (++asked === 1 ? waiting : Promise.resolve(2n)) });
    const older = gate.pass(fence(1n));
    await gate.pass(fence(2n));
    answer(2n);
    await expect(older).rejects.toMatchObject({ refusal: 'stale' });
  });

  it('lets nothing new through while the store cannot be asked', async () => {
    let isDown = false;
    const gate = new FenceGate({
      newest: async () => {
        if (isDown) throw new StoreError('unreachable', 'the store is down');
        return 9n;
      },
    });
    await gate.pass(fence(5n));
    isDown = true;
    await expect(gate.pass(fence(6n))).rejects.toBeInstanceOf(StoreError);
    await expect(gate.pass(fence(5n))).resolves.toMatchObject({ token: 5n });
  });
});
