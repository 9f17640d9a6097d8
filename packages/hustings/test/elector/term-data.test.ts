import { describe, expect, test } from 'vitest';
import { aborted, until } from '../../../../test-kit/until.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import { LeaseLostError } from '../../src/elector/elector-errors.ts';
import type { ElectorOptions } from '../../src/elector/elector-options.ts';
import type { ElectorEvent } from '../../src/elector/events/elector-event.ts';
import type { LeaderView } from '../../src/elector/leader-view.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import { FailingStore } from './failing-store.ts';

const electorOn = (store: ElectorOptions['store'], options: Partial<ElectorOptions> = {}) =>
  createElector({ name: 'job', ttlMs: 600, processProof: '', store, ...options } as ElectorOptions);

describe('the metadata of a leader', () => {
  test('is in leader, watch, history, events and the lead, for each term', async () => {
    const store = new MemoryLeaseStore();
    const metadata: Record<string, string> = { address: 'a:80' };
    const a = electorOn(store, { id: 'a', metadata });
    metadata.address = 'changed later';
    const events: ElectorEvent[] = [];
    const b = electorOn(store, { id: 'b', onEvent: (event) => void events.push(event) });
    const lead = await a.acquire();
    expect(lead.metadata).toEqual({ address: 'a:80' });
    expect(await b.leader()).toMatchObject({ type: 'led', holder: 'a', metadata: { address: 'a:80' } });
    const ending = new AbortController();
    const second = b.acquire({ signal: ending.signal });
    second.catch(() => {});
    await until(() => events.some(({ type }) => type === 'waiting'));
    expect(events.find(({ type }) => type === 'waiting')).toMatchObject({ metadata: { address: 'a:80' } });
    await lead.release();
    await using next = await second;
    expect(next.metadata).toBeNull();
    const terms = await a.history();
    expect(terms.map((term) => term.metadata)).toEqual([null, { address: 'a:80' }]);
  });

  test('changes during the term, and a watcher sees the change', async () => {
    const store = new MemoryLeaseStore();
    const elector = electorOn(store, { metadata: { address: 'a:80' } });
    const views: LeaderView[] = [];
    const ending = new AbortController();
    await using lead = await elector.acquire();
    const watching = (async () => {
      for await (const view of elector.watch({ signal: ending.signal })) views.push(view);
    })();
    await until(() => views.length === 1);
    const metadata = { address: 'a:81', labels: ['new'] };
    lead.setMetadata(metadata);
    metadata.labels.push('changed later');
    await until(() => views.length === 2);
    ending.abort();
    await watching;
    expect(views).toMatchObject([
      { metadata: { address: 'a:80' } },
      { metadata: { address: 'a:81', labels: ['new'] } },
    ]);
    expect(lead.metadata).toEqual({ address: 'a:81', labels: ['new'] });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  test.each([
    ['text', "metadata must be an object such as { address: 'host:80' }, not string"],
    [null, 'not null'],
    [['a'], 'not a list'],
    [cyclic, 'that JSON can express'],
    [{ big: 1n }, 'that JSON can express'],
    [{ toJSON: () => 7 }, 'its toJSON gives something else'],
    [{ long: 'ä'.repeat(2_048) }, 'of at most 4096 bytes, not 4107; store the rest elsewhere'],
  ])('is refused before anything starts: %s', async (metadata, message) => {
    const store = new MemoryLeaseStore();
    expect(() => electorOn(store, { metadata: metadata as never })).toThrow(message);
    await using lead = await electorOn(store).acquire();
    expect(() => lead.setMetadata(metadata as never)).toThrow(message);
    expect(lead.isValid()).toBe(true);
  });
});

describe('the checkpoint of an election', () => {
  test('is null at first, and then what the latest term has saved', async () => {
    const store = new MemoryLeaseStore();
    const elector = electorOn(store);
    const seen: (string | null)[] = [];
    const stop = new AbortController();
    await elector.campaign(
      async (lead) => {
        seen.push(lead.checkpoint);
        if (seen.length === 3) return stop.abort();
        await lead.saveCheckpoint(`after term ${seen.length}`);
        seen.push(lead.checkpoint);
        const [record] = await store.read(['job']);
        expect(record.checkpoint).toBe(lead.checkpoint);
        stop.abort();
      },
      { signal: stop.signal },
    );
    expect(seen).toEqual([null, 'after term 1']);
    const lead = await elector.acquire();
    expect(lead.checkpoint).toBe('after term 1');
    await lead.release({ checkpoint: 'handed over' });
    expect((await store.read(['job']))[0]).toMatchObject({ holder: null, checkpoint: 'handed over' });
    await elector.runOnce((next) => next.release({ checkpoint: '' }));
    expect((await store.read(['job']))[0].checkpoint).toBeNull();
  });

  test('many saves at once end with the last one, and take few calls', async () => {
    const failing = new FailingStore();
    await using lead = await electorOn(failing.store).acquire();
    const before = failing.calls;
    await Promise.all(Array.from({ length: 50 }, (_, n) => lead.saveCheckpoint(`${n}`)));
    expect((await failing.inner.read(['job']))[0].checkpoint).toBe('49');
    expect(failing.calls - before).toBeLessThanOrEqual(3);
  });

  test('is saved while the work stops, and by a leader that was evicted', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    await electorOn(store).campaign(
      async (lead) => {
        stop.abort();
        await aborted(lead.signal);
        await lead.saveCheckpoint('while stopping');
        expect((await store.read(['job']))[0].holder).not.toBeNull();
      },
      { signal: stop.signal },
    );
    expect((await store.read(['job']))[0].checkpoint).toBe('while stopping');
    const stopAgain = new AbortController();
    await electorOn(store).campaign(
      async (lead) => {
        await store.evict('job');
        await aborted(lead.signal);
        await lead.release({ checkpoint: 'after the work' });
        stopAgain.abort();
      },
      { signal: stopAgain.signal },
    );
    expect((await store.read(['job']))[0].checkpoint).toBe('after the work');
    const lead = await electorOn(store).acquire();
    await store.evict('job');
    await aborted(lead.signal);
    await expect(lead.saveCheckpoint('too late')).rejects.toThrow(
      /\(evicted\): its lease is not renewed any more/,
    );
    await lead.release({ checkpoint: 'by the evicted' });
    expect((await store.read(['job']))[0].checkpoint).toBe('by the evicted');
  });

  test('is refused with a LeaseLostError if the lease is lost first', async () => {
    const failing = new FailingStore();
    const lead = await electorOn(failing.store).acquire();
    failing.failure = 'unreachable';
    const saved = lead.saveCheckpoint('too late');
    const outcome = expect(saved).rejects.toBeInstanceOf(LeaseLostError);
    await aborted(lead.signal);
    await expect(lead.release({ checkpoint: 'later' })).rejects.toBeInstanceOf(LeaseLostError);
    await outcome;
    expect(lead.checkpoint).toBeNull();
    expect((await failing.inner.read(['job']))[0].checkpoint).toBeNull();
    await expect(lead.saveCheckpoint('after the term')).rejects.toBeInstanceOf(LeaseLostError);
  });

  test('of a release is refused unless the store has confirmed it, and the second time', async () => {
    const failing = new FailingStore();
    const lead = await electorOn(failing.store).acquire();
    failing.failure = 'unreachable';
    const refused = lead.release({ checkpoint: 'not in the store' });
    const again = lead.release({ checkpoint: 'nor this' });
    await expect(again).rejects.toThrow('the lease is released already');
    await expect(refused).rejects.toThrow('the store did not confirm the release with its checkpoint');
    expect((await failing.inner.read(['job']))[0].checkpoint).toBeNull();
    failing.failure = 'none';
    const next = await electorOn(failing.store).acquire();
    await next.release({ checkpoint: 'in the store' });
    expect(next.checkpoint).toBe('in the store');
    await expect(next.release({ checkpoint: 'too late' })).rejects.toBeInstanceOf(LeaseLostError);
  });

  test.each([
    [7, 'a checkpoint must be a text, not number'],
    ['a\0', 'neither NUL nor an unpaired surrogate'],
    ['\ud800', 'neither NUL nor an unpaired surrogate'],
    ['ä'.repeat(2_049), 'a text of at most 4096 bytes, not 4098'],
  ])('is refused if some store could not keep it: %s', async (text, message) => {
    await using lead = await electorOn(new MemoryLeaseStore()).acquire();
    await expect(lead.saveCheckpoint(text as never)).rejects.toThrow(message);
    await expect(lead.release({ checkpoint: text as never })).rejects.toThrow(message);
    expect(lead.isValid()).toBe(true);
  });

  test('counts as progress', async () => {
    const store = new MemoryLeaseStore();
    await using lead = await electorOn(store, { stallAfterMs: 1_200 }).acquire();
    const endMs = performance.now() + 1_600;
    while (performance.now() < endMs) {
      await lead.saveCheckpoint(`${performance.now()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(lead.isValid()).toBe(true);
  });
});
