import { setTimeout as sleep } from 'node:timers/promises';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { afterEach, expect, it } from 'vitest';
import { describeWith, startNats } from '../../../../../../test-kit/servers/index.ts';
import { NatsLeaseStore, type NatsStoreOptions } from '../../../../src/lease/stores/nats/nats-lease-store.ts';
import { claim, eventually, renew, win } from '../../contract/single-call.ts';
import { openAround, WRITE } from './open-around.ts';

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

const AT_ONCE: NatsStoreOptions = { waitAfterCreation: false };

await describeWith('nats-server', 'a bucket of NATS that was deleted and created again', () => {
  async function start() {
    const server = await startNats();
    toEnd.push(() => server.stop());
    const operator = await connect({ servers: server.url });
    toEnd.push(() => operator.close());
    const open = async (options: NatsStoreOptions = AT_ONCE) => {
      const store = await NatsLeaseStore.open(server.url, options);
      toEnd.push(() => store.close());
      return store;
    };
    const deleteBucket = () => operator.request('$JS.API.STREAM.DELETE.KV_hustings');
    const slowed = async (around: Parameters<typeof openAround>[1], options?: NatsStoreOptions) => {
      const store = await openAround(server.url, around, options);
      toEnd.push(() => store.close());
      return store;
    };
    return { operator, open, slowed, deleteBucket };
  }

  it('refuses the renewal of its old leader, though the new leader’s message has the number that it expects', async () => {
    const { open, deleteBucket } = await start();
    const [a, b] = [await open(), await open()];
    const first = await win(a, 'job', 'a');
    await deleteBucket();
    const second = await eventually(() => win(b, 'job', 'b').catch(() => undefined), 'b leads');
    expect(await renew(a, 'job', 'a', first)).toEqual({ type: 'lost' });
    expect(await b.read(['job'])).toMatchObject([{ holder: { id: 'b' }, token: second }]);
    expect((await b.history('job')).map(({ token }) => token)).toEqual([second]);
    expect(await renew(b, 'job', 'b', second)).toMatchObject({ type: 'ok' });
    expect(second > first).toBe(true);
  }, 60_000);

  it('answers the first call of every process that was connected to the old one', async () => {
    const { open, deleteBucket } = await start();
    const [a, b] = [await open(), await open()];
    const first = await win(a, 'job', 'a');
    await b.read(['job']);
    await deleteBucket();
    expect(await b.read(['job'])).toMatchObject([{ holder: null }]);
    expect(await claim(b, 'job', 'b')).toMatchObject({ type: 'ok' });
    expect(await renew(a, 'job', 'a', first)).toEqual({ type: 'lost' });
  }, 60_000);

  it('grants nothing for one TTL', async () => {
    const { open, deleteBucket } = await start();
    const [a, b] = [await open(), await open({})];
    await win(a, 'job', 'a');
    await deleteBucket();
    const deletedMs = performance.now();
    const answer = await eventually(
      () => claim(b, 'job', 'b', 1_000).catch(() => undefined),
      'b is answered',
    );
    expect(answer).toMatchObject({ type: 'held', record: { holder: null, token: 0n } });
    const tookMs = performance.now() - deletedMs;
    const left = answer.type === 'held' ? answer.record.remainingMs! : 0;
    expect(left).toBeGreaterThan(1_000 - tookMs);
    expect(left).toBeLessThanOrEqual(1_067);
    await eventually(() => win(b, 'job', 'b', 1_000).catch(() => undefined), 'b leads');
    expect(performance.now() - deletedMs).toBeGreaterThan(1_000);
  }, 60_000);

  it('grants nothing for one TTL to a process that has seen the old one, though the clock of a server is a day ahead', async () => {
    const { open, slowed, deleteBucket } = await start();
    const b = await slowed(
      (request) => async (subject, payload, more) => {
        const answer = await request(subject, payload, more);
        if (!subject.startsWith('$JS.API.STREAM.MSG.GET')) return answer;
        const { message } = answer.json<{ message?: { subject: string; time: string } }>();
        if (message?.subject !== '$KV.hustings.clock') return answer;
        const time = new Date(Date.parse(message.time) + 86_400_000).toISOString();
        const data = Buffer.from(JSON.stringify({ message: { ...message, time } }));
        return Object.create(answer, { data: { value: data } });
      },
      {},
    );
    await win(await open(), 'job', 'a', 1_000);
    await b.read(['job']);
    expect((await b.time()) - Date.now()).toBeGreaterThan(80_000_000);
    await deleteBucket();
    const deletedMs = performance.now();
    await eventually(() => win(b, 'job', 'b', 1_000).catch(() => undefined), 'b leads');
    expect(performance.now() - deletedMs).toBeGreaterThan(1_000);
  }, 60_000);

  it('that is older than a TTL grants a new lease at once, also to a process that has just begun', async () => {
    const { open } = await start();
    await (await open()).init();
    await sleep(1_500);
    await win(await open({}), 'job', 'a', 1_000);
  }, 60_000);

  it('grants nothing to a process that was paused between its reading and its write', async () => {
    const { open, slowed, deleteBucket } = await start();
    let resume = (): void => undefined;
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let isPaused = false;
    const slow = await slowed((request) => async (subject, ...more) => {
      if (subject.startsWith(WRITE)) {
        isPaused = true;
        await resumed;
      }
      return request(subject, ...more);
    });
    const answered = claim(slow, 'job', 'slow');
    await eventually(async () => isPaused || undefined, 'the process is about to write');
    await deleteBucket();
    const b = await open();
    const token = await eventually(() => win(b, 'job', 'b').catch(() => undefined), 'b leads');
    resume();
    expect(await answered).toMatchObject({ type: 'held', record: { holder: { id: 'b' }, token } });
    expect(await renew(b, 'job', 'b', token)).toMatchObject({ type: 'ok' });
    expect(await b.names()).toEqual(['job']);
  }, 60_000);

  it('grants nothing to that process either when it repeats a write whose incarnation it could not learn', async () => {
    const { open, slowed, deleteBucket } = await start();
    let beforeWrite = async (): Promise<unknown> => undefined;
    let hasWritten = false;
    const slow = await slowed((request) => async (subject, ...more) => {
      if (subject.startsWith('$JS.API.STREAM.INFO') && hasWritten) {
        hasWritten = false;
        throw new Error('cut off');
      }
      if (!subject.startsWith(WRITE)) return request(subject, ...more);
      await beforeWrite();
      const answer = await request(subject, ...more);
      hasWritten = beforeWrite === replaceBucket;
      return answer;
    });
    const b = await open();
    let token = 0n;
    const replaceBucket = async (): Promise<void> => {
      await deleteBucket();
      token = await eventually(() => win(b, 'job', 'b').catch(() => undefined), 'b leads');
    };
    await slow.init();
    beforeWrite = replaceBucket;
    await expect(claim(slow, 'job', 'slow')).rejects.toMatchObject({ kind: 'unreachable' });
    beforeWrite = async () => undefined;
    expect(await claim(slow, 'job', 'slow')).toMatchObject({
      type: 'held',
      record: { holder: { id: 'b' }, token },
    });
  }, 60_000);

  it('is read as it is now by those that knew the old one', async () => {
    const { open, deleteBucket } = await start();
    const [a, b] = [await open(), await open()];
    await win(b, 'old', 'b');
    await win(a, 'job', 'a');
    await deleteBucket();
    const token = await eventually(() => win(b, 'new', 'b').catch(() => undefined), 'b leads');
    expect(await a.read(['new', 'old'])).toMatchObject([{ holder: { id: 'b' }, token }, { holder: null }]);
    expect(await a.names()).toEqual(['new']);
  }, 60_000);

  it('of an earlier layout, whose keys have no incarnation, is refused', async () => {
    const { operator, open } = await start();
    const bucket = await new Kvm(operator).create('hustings');
    await bucket.put('settings', JSON.stringify({ version: 3, compatibleFrom: 3, pastToken: '0' }));
    await expect(win(await open(), 'job', 'a')).rejects.toMatchObject({
      kind: 'unprepared',
      message: expect.stringContaining('layout version 4, and the layout of the store is version 3'),
    });
  });
});
