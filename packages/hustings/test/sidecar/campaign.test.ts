import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../../../test-kit/until.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import type { Sidecar, SidecarOptions } from '../../src/sidecar/sidecar.ts';
import { get, openStream, post, progress, type Stream, start } from './sidecar-client.ts';

const open: Sidecar[] = [];
afterAll(async () => {
  await Promise.all(open.map((sidecar) => sidecar.close()));
});

/** Two replicas of one service, each with its sidecar. */
async function sidecars(number: number, options: Partial<SidecarOptions> = {}): Promise<Sidecar[]> {
  const storeUrl = `memory:campaign-${Math.random()}`;
  const started: Sidecar[] = [];
  for (let i = 0; i < number; i++)
    started.push(await start({ storeUrl, id: `replica-${i}`, stopGraceMs: 100, ...options }));
  open.push(...started);
  return started;
}

const campaign = async (sidecar: Sidecar, body: object = {}): Promise<string> => {
  const answer = await post(sidecar, '/campaign', body);
  expect([answer.status, answer.body.state]).toEqual([201, 'waiting']);
  return answer.body.campaign;
};

/** Reports progress until the service leads. */
const leading = async (sidecar: Sidecar, id: string): Promise<void> =>
  until(async () => (await progress(sidecar, id)).state === 'leading');

const has = ({ news }: Stream, type: string): boolean => news.some((each) => each.type === type);
const find = <Type extends Stream['news'][number]['type']>({ news }: Stream, type: Type) =>
  news.find((each): each is Extract<Stream['news'][number], { type: Type }> => each.type === type);

/** Reports progress like a service that works, until it is told to end. */
function living(sidecar: Sidecar, id: () => string | undefined): () => void {
  const timer = setInterval(() => {
    const campaign = id();
    if (campaign !== undefined) void post(sidecar, '/progress', { campaign }).catch(() => undefined);
  }, 50);
  return () => clearInterval(timer);
}

// They wait most of the time.
describe.concurrent('a service that reports progress', () => {
  it('leads, keeps the lead for longer than the TTL, and has token, fence and time in each answer', async () => {
    const [sidecar] = await sidecars(1, { timing: { ttlMs: 3_000 } });
    const id = await campaign(sidecar);
    await leading(sidecar, id);
    const first = await progress(sidecar, id);
    expect(first).toMatchObject({ name: 'billing', state: 'leading', progressWithinMs: 1_000 });
    expect(first.token).toMatch(/^\d+$/);
    expect(first.fence).toBe(`h0.${Buffer.from('billing').toString('base64url')}.${first.token}`);
    const startMs = performance.now();
    while (performance.now() - startMs < 4_000) {
      const now = Date.now();
      const { state, token, remainingMs = 0, deadlineMs = 0 } = await progress(sidecar, id);
      expect([state, token]).toEqual(['leading', first.token]);
      expect(remainingMs).toBeGreaterThan(0);
      expect(remainingMs).toBeLessThanOrEqual(2_800);
      expect(deadlineMs).toBeLessThanOrEqual(now + 3_000 + 1_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await get(sidecar, '/leader')).body).toMatchObject({
      type: 'led',
      leads: true,
      token: first.token,
    });
  });

  it('may stop its work without reports when the sidecar ends, and release within the grace', async () => {
    const [sidecar] = await sidecars(1, { timing: { ttlMs: 3_000 }, stopGraceMs: 20_000 });
    const id = await campaign(sidecar, { progressWithinMs: 1_000 });
    await leading(sidecar, id);
    const closing = sidecar.close();
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect((await post(sidecar, '/release', { campaign: id })).body).toMatchObject({ released: true });
    await closing;
  });

  it('hands over at once when it releases', async () => {
    const [a, b] = await sidecars(2, { timing: { ttlMs: 20_000 } });
    const first = await campaign(a);
    await leading(a, first);
    const second = await campaign(b);
    expect((await progress(b, second)).state).toBe('waiting');
    const { token } = await progress(a, first);
    const views = async (): Promise<string[]> =>
      Promise.all([a, b].map(async (each) => (await get(each, '/leader')).body.holder));
    expect(await views()).toEqual(['replica-0', 'replica-0']);
    const released = await post(a, '/release', { campaign: first });
    expect([released.status, released.body]).toMatchObject([
      200,
      { state: 'ended', reason: 'released', released: true },
    ]);
    await leading(b, second);
    expect(Number((await progress(b, second)).token)).toBeGreaterThan(Number(token));
    // Every sidecar knows the new leader, also those that do not lead.
    expect(await views()).toEqual(['replica-1', 'replica-1']);
    const over = await post(a, '/progress', { campaign: first });
    expect([over.status, over.body]).toMatchObject([410, { state: 'ended', reason: 'released' }]);
  });

  it('that falls silent is not renewed: the lease runs out and is not released', async () => {
    const messages: string[] = [];
    const [a, b] = await sidecars(2, { log: ({ message }) => void messages.push(message) });
    const first = await campaign(a);
    await leading(a, first);
    const { remainingMs = 0 } = await progress(a, first);
    const silentMs = performance.now();
    const second = await campaign(b);
    const end = living(b, () => second);
    await until(async () => (await progress(b, second)).state === 'leading');
    end();
    // A release would have let the other lead at once. The lease outlives the deadline that the service knows.
    expect(performance.now() - silentMs).toBeGreaterThanOrEqual(remainingMs);
    // The sidecar knows only that nothing was reported. A restart of it would not help.
    const silent = 'the service has not reported that its work has stopped, and its deadline has passed';
    await until(() => messages.includes(`hustings: 'billing': ${silent}`));
    expect(messages.join()).not.toContain('still runs');
    const health = await get(a, '/healthz');
    const [{ state, ...election }] = health.body.elections;
    // It is overdue for one TTL.
    if (state === 'overdue') expect(election).toMatchObject({ healthy: true, problem: silent });
    expect([health.status, health.body.healthy]).toEqual([200, true]);
    await until(async () => (await post(a, '/progress', { campaign: first })).status === 410);
    const { body } = await post(a, '/progress', { campaign: first });
    expect(body).toMatchObject({ state: 'ended', released: false });
    // On a busy machine the sidecar itself may not have run for a while.
    expect(['stalled', 'suspended']).toContain(body.reason);
  });

  it('that comes back before its deadline keeps the lead', async () => {
    const [sidecar] = await sidecars(1, { timing: { ttlMs: 8_000 } });
    const id = await campaign(sidecar, { progressWithinMs: 1_500 });
    await leading(sidecar, id);
    const { token } = await progress(sidecar, id);
    // Renewals every 1,600 ms would keep more of the lease.
    await until(async () => (await get(sidecar, '/leader')).body.remainingMs < 4_800);
    await until(async () => {
      const { state, remainingMs = 0 } = await progress(sidecar, id);
      expect(state).toBe('leading');
      return remainingMs > 6_000;
    });
    expect((await progress(sidecar, id)).token).toBe(token);
  });

  it('that falls silent while it waits is withdrawn, and another campaign may begin', async () => {
    const [a, b] = await sidecars(2, { timing: { ttlMs: 10_000 } });
    const first = await campaign(a);
    const end = living(a, () => first);
    await leading(a, first);
    const second = await campaign(b, { progressWithinMs: 100 });
    await until(async () => (await get(b, '/healthz')).body.elections[0].state === 'idle');
    const over = await post(b, '/progress', { campaign: second });
    expect([over.status, over.body]).toMatchObject([410, { state: 'ended', reason: 'abandoned' }]);
    await campaign(b);
    end();
  });
});

describe.concurrent('a stream', () => {
  it('tells of the campaign, the leader, the election, renewals and the end', async () => {
    const [a, b] = await sidecars(2, { timing: { ttlMs: 5_000 } });
    const one = openStream(a, { proof: 'stream' });
    await until(() => has(one, 'renewed'));
    const two = openStream(b, { proof: 'stream' });
    await until(() => has(two, 'waiting'));
    expect(two.news.map(({ type }) => type)).toEqual(['campaign', 'waiting']);
    const elected = find(one, 'elected')!;
    expect(find(two, 'waiting')).toMatchObject({ holder: 'replica-0', token: elected.token });
    await post(a, '/release', { campaign: find(one, 'campaign')!.campaign });
    await one.ended;
    expect(one.news.at(-1)).toMatchObject({ type: 'ended', reason: 'released', released: true });
    await until(() => has(two, 'elected'));
    expect(Number(find(two, 'elected')!.token)).toBeGreaterThan(Number(elected.token));
    two.close();
  });

  it('that closes ends renewals, and the lease runs out: the service may still work', async () => {
    const [a, b] = await sidecars(2);
    const one = openStream(a, { proof: 'stream' });
    await until(() => has(one, 'elected'));
    const id = find(one, 'campaign')!.campaign;
    const two = openStream(b, { proof: 'stream' });
    await until(() => has(two, 'waiting'));
    const { remainingMs = 0 } = await progress(a, id);
    const closedMs = performance.now();
    one.close();
    await until(async () => (await progress(a, id)).state === 'stopping');
    expect(await progress(a, id)).toMatchObject({ reason: 'abandoned' });
    expect((await get(a, '/leader')).body).toMatchObject({ leads: false });
    await until(() => has(two, 'elected'));
    expect(performance.now() - closedMs).toBeGreaterThanOrEqual(remainingMs);
    two.close();
  });

  it('that closes while the service waits withdraws the candidate', async () => {
    const [a, b] = await sidecars(2, { timing: { ttlMs: 10_000 } });
    const one = openStream(a, { proof: 'stream' });
    await until(() => has(one, 'elected'));
    const two = openStream(b, { proof: 'stream' });
    await until(() => has(two, 'waiting'));
    two.close();
    await until(async () => (await get(b, '/healthz')).body.elections[0].state === 'idle');
    one.close();
  });

  it('alone does not keep the lead by default: the service reports progress too', async () => {
    const [sidecar] = await sidecars(1, { timing: { ttlMs: 4_000 } });
    const silent = openStream(sidecar);
    await until(() => has(silent, 'elected'));
    expect(find(silent, 'campaign')!.progressWithinMs).toBe(1_333);
    await until(() => has(silent, 'lost'));
    expect(['stalled', 'suspended']).toContain(find(silent, 'lost')!.reason);
    // The service is told before it must have stopped.
    expect(find(silent, 'lost')!.remainingMs).toBeGreaterThan(0);
    silent.close();
  });

  it('tells an evicted leader that it has lost, before its deadline', async () => {
    const storeUrl = `memory:evicted-${Math.random()}`;
    const [sidecar] = await sidecars(1, { storeUrl, timing: { ttlMs: 5_000 } });
    const stream = openStream(sidecar, { proof: 'stream' });
    await until(() => has(stream, 'elected'));
    const { openStore } = await import('../../src/lease/open-store.ts');
    const store = await openStore(storeUrl);
    await store.evict('billing');
    await until(() => has(stream, 'lost'));
    expect(find(stream, 'lost')).toMatchObject({ reason: 'evicted' });
    await store.close();
    stream.close();
  });
});

describe.concurrent('a leader of another kind', () => {
  it('is respected, and takes over by a transfer after the service has stopped', async () => {
    const storeUrl = `memory:mixed-${Math.random()}`;
    const [sidecar] = await sidecars(1, { storeUrl });
    const stream = openStream(sidecar, { proof: 'stream' });
    await until(() => has(stream, 'elected'));
    const elector = createElector({
      store: storeUrl,
      name: 'billing',
      id: 'library',
      priority: 1,
      ttlMs: 1_500,
    });
    const waiting = elector.acquire();
    await until(() => has(stream, 'stopping'));
    expect(find(stream, 'stopping')).toMatchObject({ reason: 'transferred' });
    await post(sidecar, '/release', { campaign: find(stream, 'campaign')!.campaign });
    const lead = await waiting;
    expect(lead.token > BigInt(find(stream, 'elected')!.token)).toBe(true);
    await lead.release();
    await elector.close();
  });
});

describe.concurrent('a second campaign', () => {
  it('is refused while the first one is under way', async () => {
    const [sidecar] = await sidecars(1, { timing: { ttlMs: 30_000 } });
    const id = await campaign(sidecar);
    await leading(sidecar, id);
    const refused = await post(sidecar, '/campaign');
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('under way')]);
  });

  it('does not hide that the first one leads, as long as its lease is valid', async () => {
    const [sidecar] = await sidecars(1, { timing: { ttlMs: 60_000 } });
    const first = await campaign(sidecar, { progressWithinMs: 100 });
    await leading(sidecar, first);
    // Once the first service is late, another one may begin.
    let second = { status: 0, body: { state: '' } };
    await until(async () => {
      second = await post(sidecar, '/campaign', { progressWithinMs: 60_000 });
      return second.status === 201;
    });
    expect(second.body.state).toBe('waiting');
    expect((await get(sidecar, '/leader')).body).toMatchObject({ type: 'led', leads: true });
    expect((await progress(sidecar, first)).state).toBe('leading');
    expect((await get(sidecar, '/leader')).body).toMatchObject({ leads: true });
    await post(sidecar, '/release', { campaign: first });
  });

  it('of a service that was restarted waits until the lease of the first one has run out', async () => {
    const [sidecar] = await sidecars(1);
    const crashed = openStream(sidecar, { proof: 'stream' });
    await until(() => has(crashed, 'elected'));
    const { remainingMs = 0 } = await progress(sidecar, find(crashed, 'campaign')!.campaign);
    const closedMs = performance.now();
    crashed.close();
    let again: Stream | undefined;
    await until(async () => {
      again = openStream(sidecar, { proof: 'stream' });
      return (await again.status) === 200;
    });
    await until(() => has(again!, 'elected'));
    expect(performance.now() - closedMs).toBeGreaterThanOrEqual(remainingMs);
    expect(Number(find(again!, 'elected')!.token)).toBeGreaterThan(Number(find(crashed, 'elected')!.token));
    again!.close();
  });
});

describe.concurrent('a sidecar that is told to stop', () => {
  it('tells the service, waits for its release, and lets another lead at once', async () => {
    const [a, b] = await sidecars(2, { timing: { ttlMs: 30_000 }, stopGraceMs: 30_000 });
    const one = openStream(a, { proof: 'stream' });
    await until(() => has(one, 'elected'));
    const two = openStream(b, { proof: 'stream' });
    await until(() => has(two, 'waiting'));
    const closed = a.close();
    await until(() => has(one, 'stopping'));
    expect(find(one, 'stopping')).toMatchObject({ reason: 'stopped' });
    expect((await get(a, '/readyz')).status).toBe(503);
    expect((await post(a, '/campaign')).status).toBe(503);
    expect(has(two, 'elected')).toBe(false);
    await post(a, '/release', { campaign: find(one, 'campaign')!.campaign });
    await closed;
    await until(() => has(two, 'elected'));
    // Otherwise the end of this file waits for its lease.
    await post(b, '/release', { campaign: find(two, 'campaign')!.campaign });
    two.close();
  });

  it('ends after the grace period without a release: the lease runs out', async () => {
    const [a, b] = await sidecars(2, { stopGraceMs: 200 });
    const one = openStream(a, { proof: 'stream' });
    await until(() => has(one, 'elected'));
    const two = openStream(b, { proof: 'stream' });
    await until(() => has(two, 'waiting'));
    const { remainingMs = 0 } = await progress(a, find(one, 'campaign')!.campaign);
    const startMs = performance.now();
    await a.close();
    await one.ended;
    await until(() => has(two, 'elected'));
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(remainingMs);
    two.close();
  });

  it('tells a service that waits that its campaign is over', async () => {
    const [a, b] = await sidecars(2, { timing: { ttlMs: 10_000 } });
    const one = openStream(a, { proof: 'stream' });
    await until(() => has(one, 'elected'));
    const two = openStream(b, { proof: 'stream' });
    await until(() => has(two, 'waiting'));
    await b.close();
    await two.ended;
    expect(two.news.at(-1)).toMatchObject({ type: 'ended', reason: 'stopped', token: null, released: false });
    one.close();
  });
});
