import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createElector } from '../../src/elector/create-elector.ts';
import type { ElectorEvent } from '../../src/elector/elector-event.ts';
import type { ElectorOptions } from '../../src/elector/elector-options.ts';
import type { Lead } from '../../src/elector/lead.ts';
import { AcquireTimeoutError, ElectorClosedError, LeaseLostError } from '../../src/elector/lease-lost.ts';
import { InputError } from '../../src/kernel/errors.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import { TroubledStore } from './failing-store.ts';
import { aborted, never, until } from './until.ts';

const TTL = 600;
/** No proof of the process: candidates of one test share it, and it is not gone. */
const base = { name: 'job', ttlMs: TTL, processProof: '' };

function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

function electorOn(
  store: ElectorOptions['store'],
  options: Partial<ElectorOptions> = {},
): ReturnType<typeof createElector> {
  return createElector({ ...base, store, ...options });
}

describe('run', () => {
  test('calls the work with the token of its term, and gives the lease back when it has returned', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    const tokens: bigint[] = [];
    await electorOn(store, { id: 'a' }).run(
      async (lead) => {
        tokens.push(lead.token);
        expect((await store.read(['job']))[0].holder?.id).toBe('a');
        if (tokens.length === 2) stop.abort();
      },
      { signal: stop.signal },
    );
    expect(tokens).toEqual([1n, 2n]);
    expect((await store.read(['job']))[0].holder).toBeNull();
    expect((await store.history('job')).map(({ cause }) => cause)).toEqual(['released', 'released']);
  });

  test('does not give the lease back while the work still runs', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    let settled = false;
    const running = electorOn(store).run(
      async (lead) => {
        stop.abort();
        expect(lead.signal.aborted).toBe(true);
        // Longer than the ttl: the lease is renewed while the work comes to its end.
        await sleep(TTL * 1.5);
        expect((await store.read(['job']))[0].holder).not.toBeNull();
        settled = true;
      },
      { signal: stop.signal },
    );
    await running;
    expect(settled).toBe(true);
    expect((await store.history('job'))[0].cause).toBe('released');
  }, 20_000);

  test('ends when it was asked to, also if the work gives the lease back itself on its way out', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    let terms = 0;
    await electorOn(store).run(
      async (lead) => {
        terms++;
        stop.abort();
        await lead.release();
        await lead.transfer({ to: 'somebody' });
      },
      { signal: stop.signal },
    );
    expect(terms).toBe(1);
    expect((await store.read(['job']))[0].holder).toBeNull();
  });

  test.each<[string, (lead: Lead) => unknown]>([
    [
      'an assert after a pause, before the signal has come',
      (lead) => {
        block(TTL * 2);
        lead.assert();
      },
    ],
    ['a guard around a pause', (lead) => lead.guard(() => block(TTL * 2))],
    [
      'the sink that noticed first',
      () => {
        block(TTL * 2);
        throw new Error('stale');
      },
    ],
  ])('goes on to its next term when a lost lease made the work throw: %s', async (_, work) => {
    const stop = new AbortController();
    const events: ElectorEvent[] = [];
    const elector = electorOn(new MemoryLeaseStore(), { onEvent: (event) => void events.push(event) });
    let terms = 0;
    await elector.run((lead) => (++terms === 1 ? work(lead) : stop.abort()), { signal: stop.signal });
    expect(terms).toBe(2);
    expect(events.map(({ type }) => type)).toContain('work-failed');
  });

  test('rejects with what the work threw, after the lease was given back', async () => {
    const store = new MemoryLeaseStore();
    const elector = electorOn(store);
    await expect(elector.run(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    expect((await elector.leader()).state).toBe('vacant');
  });

  test('tells of what the work throws when its term is over, and goes on', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    const failed: unknown[] = [];
    const elector = electorOn(store, {
      onEvent: (event) => event.type === 'work-failed' && failed.push(event.error),
    });
    let terms = 0;
    await elector.run(
      async (lead) => {
        if (++terms === 2) return stop.abort();
        await lead.release();
        lead.assert();
      },
      { signal: stop.signal },
    );
    expect(failed).toHaveLength(1);
    expect(failed[0]).toBeInstanceOf(LeaseLostError);
  });

  test.each(['its assert', 'its fence'])(
    'goes on with the next term when work that was stopped fails at %s before its signal aborts',
    async (where) => {
      const stop = new AbortController();
      const failed: unknown[] = [];
      const elector = electorOn(new MemoryLeaseStore(), {
        onEvent: (event) => event.type === 'work-failed' && failed.push(event.error),
      });
      let terms = 0;
      await elector.run(
        (lead) => {
          if (++terms === 2) return stop.abort();
          const end = performance.now() + 2 * TTL;
          while (performance.now() < end);
          expect(lead.signal.aborted).toBe(false);
          if (where === 'its assert') lead.assert();
          throw new Error('stale');
        },
        { signal: stop.signal },
      );
      expect(terms).toBe(2);
      expect(failed).toHaveLength(1);
    },
    20_000,
  );

  test('goes on when too little is left of the lease, and rejects what no lease ever has', async () => {
    const stop = new AbortController();
    let terms = 0;
    const running = electorOn(new MemoryLeaseStore()).run(
      (lead) => {
        terms++;
        if (terms > 1) lead.assert({ needMs: TTL });
        const end = performance.now() + TTL / 4;
        while (performance.now() < end);
        lead.assert({ needMs: 500 });
      },
      { signal: stop.signal },
    );
    await expect(running).rejects.toThrow('expected needMs to be at most 560');
    expect(terms).toBeGreaterThan(1);
  }, 20_000);

  test('warns once of an observer that throws, and leads all the same', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    const elector = electorOn(new MemoryLeaseStore(), {
      onEvent: () => {
        throw new Error('my logger');
      },
    });
    const lead = await elector.acquire();
    expect((await warned).message).toContain('my logger');
    await lead.release();
  });

  test('an event can be written as JSON, and shows its term', async () => {
    const lines: string[] = [];
    const elector = electorOn(new MemoryLeaseStore(), {
      id: 'a',
      onEvent: (event) => lines.push(JSON.stringify(event)),
    });
    await (await elector.acquire()).release();
    const elected = JSON.parse(lines.find((line) => line.includes('"elected"'))!);
    expect(elected.lead).toMatchObject({ name: 'job', token: '1', holder: 'a' });
  });

  test('with a signal that has aborted already does nothing', async () => {
    const store = new TroubledStore();
    await electorOn(store.store).run(never, { signal: AbortSignal.abort() });
    expect(store.calls).toBe(0);
  });

  test('ends also if its signal aborts while the store is being opened', async () => {
    const stop = new AbortController();
    const running = electorOn('memory:').run(never, { signal: stop.signal });
    const acquiring = electorOn('memory:').acquire({ signal: stop.signal });
    stop.abort(new Error('enough'));
    await running;
    await expect(acquiring).rejects.toThrow('enough');
  });

  test('one of many leads at a time, and each change has a larger token', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    let leading = 0;
    const tokens: bigint[] = [];
    const all = Array.from({ length: 5 }, (_, i) =>
      electorOn(store, { id: `c${i}` }).run(
        async (lead) => {
          expect(++leading).toBe(1);
          tokens.push(lead.token);
          if (tokens.length === 8) stop.abort();
          await sleep(5);
          leading--;
        },
        { signal: stop.signal },
      ),
    );
    await Promise.all(all);
    expect(tokens).toEqual(tokens.map((_, i) => BigInt(i + 1)));
  }, 20_000);
});

describe('acquire', () => {
  test('with no time to wait, takes a lease that is free, however slow the store, and waits for none', async () => {
    const store = new MemoryLeaseStore();
    const claim = store.acquire.bind(store);
    store.acquire = async (claims) => {
      await sleep(30);
      return claim(claims);
    };
    const lead = await electorOn(store).acquire({ timeoutMs: 0 });
    expect(lead.token).toBe(1n);
    await expect(electorOn(store).acquire({ timeoutMs: 0 })).rejects.toThrow(AcquireTimeoutError);
    await lead.release();
    expect(await store.history('job')).toHaveLength(1);
  });

  test('await using gives the lease back at the end of the block', async () => {
    const store = new MemoryLeaseStore();
    const elector = electorOn(store);
    {
      await using lead = await elector.acquire();
      expect(lead.isValid()).toBe(true);
      expect(lead.remainingMs()).toBeGreaterThan(0);
      expect((await elector.leader()).state).toBe('led');
    }
    expect((await elector.leader()).state).toBe('vacant');
  });

  test('rejects after its timeout and says who leads', async () => {
    const store = new MemoryLeaseStore();
    await using _held = await electorOn(store, { id: 'first' }).acquire();
    const waiting = electorOn(store, { id: 'second' }).acquire({ timeoutMs: 50 });
    await expect(waiting).rejects.toThrow(AcquireTimeoutError);
    await expect(waiting).rejects.toThrow("it is held by 'first'");
  });

  test('rejects after its timeout and says that the store cannot be reached', async () => {
    const troubled = new TroubledStore();
    troubled.storeError = 'unreachable';
    const waiting = electorOn(troubled.store).acquire({ timeoutMs: 200 });
    await expect(waiting).rejects.toMatchObject({ cause: { code: 'HUSTINGS_STORE_UNREACHABLE' } });
    await expect(waiting).rejects.toThrow(/within 200 ms, but (?!the store did not grant it)/);
  });

  test('rejects with the reason of its signal', async () => {
    const store = new MemoryLeaseStore();
    await using _held = await electorOn(store).acquire();
    const stop = new AbortController();
    const waiting = electorOn(store).acquire({ signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 30);
    await expect(waiting).rejects.toThrow('enough');
  });

  test('is served when the holder lets go, without waiting for the end of the lease', async () => {
    const store = new MemoryLeaseStore();
    const first = await electorOn(store, { ttlMs: 60_000 }).acquire();
    const waiting = electorOn(store, { ttlMs: 60_000 }).acquire();
    await sleep(20);
    await first.release();
    const second = await waiting;
    expect(second.token).toBe(2n);
    await second.release();
  });
});

describe('the end of a term', () => {
  async function lossUnder(storeError: 'silent' | 'unreachable'): Promise<LeaseLostError> {
    const troubled = new TroubledStore();
    const lead = await electorOn(troubled.store).acquire();
    troubled.storeError = storeError;
    const reason = await aborted(lead.signal);
    expect(lead.isValid()).toBe(false);
    expect(() => lead.assert()).toThrow(LeaseLostError);
    troubled.storeError = 'none';
    await lead.release();
    return reason as LeaseLostError;
  }

  test('a store that does not answer: renew-timeout', async () => {
    expect((await lossUnder('silent')).reason).toBe('renew-timeout');
  });

  test('a store that cannot be reached: store-unreachable', async () => {
    expect((await lossUnder('unreachable')).reason).toBe('store-unreachable');
  });

  test('one failed renewal does not end the term', async () => {
    const troubled = new TroubledStore();
    const events: ElectorEvent['type'][] = [];
    const elector = electorOn(troubled.store, { onEvent: ({ type }) => events.push(type) });
    const lead = await elector.acquire();
    troubled.storeError = 'unreachable';
    await until(() => events.includes('store-error'));
    troubled.storeError = 'none';
    await until(() => events.includes('renewed'));
    expect(lead.isValid()).toBe(true);
    await lead.release();
  });

  test('a blocked event loop: the next assert throws, no work begins, and the reason says so', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    const lead = await electorOn(store).acquire();
    const end = performance.now() + 2 * TTL;
    while (performance.now() < end);
    // In the same turn of the event loop: no timer of ours has run yet.
    expect(lead.isValid()).toBe(false);
    expect(lead.remainingMs()).toBe(0);
    expect(() => lead.assert()).toThrow(LeaseLostError);
    await expect(lead.guard(never)).rejects.toThrow(LeaseLostError);
    const reason = (await aborted(lead.signal)) as LeaseLostError;
    expect(reason.reason).toBe('suspended');
    // Which of the two is a guess by the processor time, of which a busy machine gives little.
    expect(reason.message).toMatch(/did not run for \d+ ms: (its event loop was blocked|it was stopped)/);
    await lead.release();
    stop.abort();
  });

  test('work that stops beating is not renewed: stalled; work that beats goes on', async () => {
    const store = new MemoryLeaseStore();
    const lead = await electorOn(store, { stallAfterMs: 100 }).acquire();
    const beating = setInterval(() => lead.beat(), 30);
    await sleep(TTL * 2);
    expect(lead.isValid()).toBe(true);
    clearInterval(beating);
    const reason = (await aborted(lead.signal)) as LeaseLostError;
    expect(reason.reason).toBe('stalled');
    await lead.release();
    expect((await store.history('job'))[0].cause).toBe('stalled');
  });

  test('evicted: the work stops, and the successor waits for the end of the lease', async () => {
    const store = new MemoryLeaseStore();
    const lead = await electorOn(store, { id: 'old' }).acquire();
    expect(await store.evict('job')).toBe(true);
    const reason = (await aborted(lead.signal)) as LeaseLostError;
    expect(reason.reason).toBe('evicted');
    await lead.release();
  });

  test('too little left: assert says how much, and the term goes on', async () => {
    const lead = await electorOn(new MemoryLeaseStore()).acquire();
    await sleep(5);
    expect(() => lead.assert({ needMs: 560 })).toThrow(/560 ms are needed/);
    expect(lead.isValid()).toBe(true);
    await lead.release();
  });
});

describe('handing over', () => {
  async function candidates(
    first: Partial<ElectorOptions>,
    second: Partial<ElectorOptions>,
  ): Promise<string[]> {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    const leaders: string[] = [];
    const runs = [first, second].map(async (options, i) => {
      if (i === 1) await until(() => leaders.length === 1);
      return electorOn(store, options).run(
        async (lead: Lead) => {
          leaders.push(lead.term.holder);
          if (leaders.length === 2) stop.abort();
          await aborted(lead.signal);
        },
        { signal: stop.signal },
      );
    });
    await Promise.all(runs);
    return leaders;
  }

  test('a leader yields to a candidate of higher priority that has waited', async () => {
    const leaders = await candidates(
      { id: 'low', priority: 1, yieldAfterMs: 200 },
      { id: 'high', priority: 2 },
    );
    expect(leaders).toEqual(['low', 'high']);
  }, 20_000);

  test('transfer keeps the lease for its successor, though others wait', async () => {
    const store = new MemoryLeaseStore();
    const first = await electorOn(store, { id: 'first', ttlMs: 5_000 }).acquire();
    const stop = new AbortController();
    const got: string[] = [];
    const waits = ['x', 'successor', 'y'].map((id) =>
      electorOn(store, { id, ttlMs: 5_000 })
        .acquire({ signal: stop.signal })
        .then(
          async (lead) => {
            got.push(id);
            stop.abort();
            await lead.release();
          },
          () => {},
        ),
    );
    await sleep(30);
    await first.transfer({ to: 'successor' });
    await Promise.all(waits);
    expect(got[0]).toBe('successor');
    expect((await store.history('job')).at(-1)?.cause).toBe('transferred');
  });

  test('an operator asks for a transfer, and the holder follows', async () => {
    const store = new MemoryLeaseStore();
    const lead = await electorOn(store, { id: 'first' }).acquire();
    await store.requestTransfer('job', 'second');
    const reason = (await aborted(lead.signal)) as LeaseLostError;
    expect(reason.reason).toBe('transferred');
    await lead.release();
    const view = await electorOn(store).leader();
    expect(view).toMatchObject({ state: 'vacant', successor: 'second' });
  });
});

describe('a store that fails', () => {
  test('that is down at the start is asked until it is there', async () => {
    const troubled = new TroubledStore();
    troubled.storeError = 'unreachable';
    const waiting = electorOn(troubled.store).acquire();
    await until(() => troubled.calls >= 3);
    troubled.storeError = 'none';
    await (await waiting).release();
  });

  test('that refuses the candidate from the beginning ends the run with its reason', async () => {
    const troubled = new TroubledStore();
    troubled.storeError = 'denied';
    const elector = electorOn(troubled.store);
    await expect(elector.run(never)).rejects.toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
    await expect(elector.acquire()).rejects.toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
  });

  test('that refuses later is asked until it serves again', async () => {
    const troubled = new TroubledStore();
    const stop = new AbortController();
    let terms = 0;
    const running = electorOn(troubled.store).run(
      async (lead) => {
        if (++terms === 2) return stop.abort();
        troubled.storeError = 'denied';
        await aborted(lead.signal);
        setTimeout(() => {
          troubled.storeError = 'none';
        }, TTL);
      },
      { signal: stop.signal },
    );
    await running;
    expect(terms).toBe(2);
  }, 20_000);
});

describe('close', () => {
  test('ends a run, whose work settles and whose lease is given back before the store is closed', async () => {
    const url = `memory:${crypto.randomUUID()}`;
    const elector = electorOn(url);
    let leads = false;
    let hasSettled = false;
    const running = elector.run(async (lead) => {
      leads = true;
      await aborted(lead.signal);
      await sleep(50);
      hasSettled = true;
    });
    await until(() => leads);
    await elector.close();
    expect(hasSettled).toBe(true);
    await running;
    expect((await electorOn(url).history())[0].cause).toBe('released');
  });

  test('ends a wait to lead, with the reason', async () => {
    const store = new MemoryLeaseStore();
    await using _ = await electorOn(store).acquire();
    const elector = electorOn(store);
    const refused = expect(elector.acquire()).rejects.toThrow(ElectorClosedError);
    await sleep(20);
    await elector.close();
    await refused;
  });

  test('called by the work itself, does not wait for ever', async () => {
    const elector = electorOn('memory:');
    await elector.run(() => elector.close());
  });
});

describe('watch', () => {
  test('tells of each change, and of a store that cannot be read', async () => {
    const troubled = new TroubledStore();
    const stop = new AbortController();
    const elector = electorOn(troubled.store, { id: 'a' });
    const seen: string[] = [];
    const watching = (async () => {
      for await (const view of elector.watch({ signal: stop.signal })) seen.push(view.state);
    })();
    await until(() => seen.length === 1);
    const lead = await elector.acquire();
    await until(() => seen.length === 2);
    await lead.release();
    await until(() => seen.length === 3);
    troubled.storeError = 'silent';
    await until(() => seen.length === 4);
    troubled.storeError = 'none';
    await until(() => seen.length === 5);
    stop.abort();
    await watching;
    expect(seen).toEqual(['vacant', 'led', 'vacant', 'unknown', 'vacant']);
  }, 20_000);
});

describe('close, and those who watch', () => {
  test('ends a watch that has no signal of its own', async () => {
    const elector = electorOn('memory:');
    const watching = (async () => {
      for await (const view of elector.watch()) {
        expect(view.state).toBe('vacant');
        void elector.close();
      }
    })();
    await watching;
  });
});

describe('what cannot work is refused when the elector is made', () => {
  const store = new MemoryLeaseStore();
  test.each<[string, Partial<ElectorOptions>]>([
    ['under 4 renewals in a ttl', { renewEveryMs: 200 }],
    ['a request timeout over a quarter of the ttl', { requestTimeoutMs: 200 }],
    ['a ttl below half a second', { ttlMs: 100 }],
    ['a hard deadline after the end of the lease', { killAfterMs: 700 }],
    ['no margin for clocks that differ', { killAfterMs: 599 }],
    ['both a preset and a ttl', { preset: 'fast' }],
    ['a fraction of a millisecond', { ttlMs: 1000.5 }],
    ['an empty name', { name: '' }],
    ['a name with a control character', { name: 'a\0b' }],
    ['an endless priority', { priority: Number.POSITIVE_INFINITY }],
    ['a candidate without a name', { id: '' }],
    ['a short fence key', { fenceKey: 'short' }],
  ])('%s', (_, options) => {
    expect(() => electorOn(store, options)).toThrow(InputError);
  });
});
