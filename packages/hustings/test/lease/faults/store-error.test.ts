/** Stores that are down, come back, refuse or do not exist: a clear error each, without secrets. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  describeWith,
  startMariadb,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../../../../test-kit/servers/index.ts';
import { aborted, never, until } from '../../../../../test-kit/until.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import type { ElectorEvent } from '../../../src/elector/events/elector-event.ts';
import type { Lead } from '../../../src/elector/lead.ts';

const SECRET = 'hush-4711';
const LIMIT_MS = 60_000;

const KINDS = [
  { program: 'redis-server', title: 'Redis', start: () => startRedis({ password: SECRET }), scheme: 'redis' },
  {
    program: 'postgres',
    title: 'PostgreSQL',
    start: () => startPostgres({ password: SECRET }),
    scheme: 'postgres',
  },
  {
    program: 'mariadbd',
    title: 'MariaDB',
    start: () => startMariadb({ password: SECRET }),
    scheme: 'mysql',
  },
] as const;

for (const { program, title, start, scheme } of KINDS) {
  await describeWith(program, `an elector on ${title}`, () => {
    let server: TestServer;
    const heard: ElectorEvent[] = [];
    const electorOn = (url: string, name: string) =>
      createElector({ store: url, name, ttlMs: 1_000, onEvent: (event) => heard.push(event) });

    beforeAll(async () => {
      server = await start();
    }, LIMIT_MS);
    afterAll(() => server?.stop());

    test(
      'waits for a store that is down, and leads when it runs',
      async () => {
        await server.kill9();
        const elector = electorOn(server.url, 'down at the start');
        const acquiring = elector.acquire();
        const failed = (): number =>
          [...elector.metrics.storeErrors.values()].reduce((sum, each) => sum + each, 0);
        await until(() => failed() >= 3);
        await server.restart();
        const lead = await acquiring;
        const told = heard.filter(({ type }) => type.startsWith('store-'));
        expect(told.map(({ type }) => type)).toEqual(['store-error', 'store-recovered']);
        expect(told[1]).toMatchObject({ errors: failed() });
        expect(lead.isValid()).toBe(true);
        await lead.release();
        await elector.close();
      },
      LIMIT_MS,
    );

    test(
      'stops in time when the store goes down, and leads again when it is back',
      async () => {
        const stop = new AbortController();
        const elector = electorOn(server.url, 'down in the middle');
        const leads: Lead[] = [];
        const running = elector.campaign(
          async (lead) => {
            leads.push(lead);
            await aborted(lead.signal);
          },
          { signal: stop.signal },
        );
        await until(() => leads.length === 1);
        await server.kill9();
        const reason = await aborted(leads[0].signal);
        expect(reason).toMatchObject({ reason: expect.stringMatching(/store-unreachable|renew-timeout/) });
        expect(leads[0].isValid()).toBe(false);
        await server.restart();
        await until(() => leads.length === 2);
        expect(leads[1].token > leads[0].token).toBe(true);
        stop.abort();
        await running;
        await elector.close();
      },
      LIMIT_MS,
    );

    test(
      'is overdue and unhealthy while its work hangs after the store went down, and stands again when it returns',
      async () => {
        const stop = new AbortController();
        const elector = electorOn(server.url, 'hangs');
        let goOn = (): void => {};
        const hangs = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        const running = elector.campaign(
          async (lead) => {
            await lead.ended;
            await hangs;
          },
          { signal: stop.signal },
        );
        await until(() => elector.metrics.isLeader);
        await server.kill9();
        await until(() => elector.health().state === 'overdue');
        await server.restart();
        expect(elector.health().healthy).toBe(false);
        expect([elector.metrics.stands, elector.metrics.isLeader]).toEqual([false, false]);
        goOn();
        await until(() => elector.metrics.isLeader);
        expect(elector.health()).toMatchObject({ healthy: true, state: 'leading', overdueMs: 0 });
        expect(elector.metrics.stands).toBe(true);
        stop.abort();
        await running;
        await elector.close();
      },
      LIMIT_MS,
    );

    test(
      'answers with leader, history and term that can be written as JSON',
      async () => {
        const elector = electorOn(server.url, 'as JSON');
        await using lead = await elector.acquire();
        const written = JSON.parse(
          JSON.stringify([await elector.leader(), await elector.history(), lead.term]),
        );
        const token = `${lead.token}`;
        expect(written).toMatchObject([{ type: 'led', token }, [{ token }], { token }]);
      },
      LIMIT_MS,
    );

    test(
      'fails at once with a wrong password',
      async () => {
        const url = server.url.replace(encodeURIComponent(SECRET), `wrong-${SECRET}`);
        const elector = electorOn(url, 'wrong password');
        const failure = await elector.campaign(never).catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
        expect(String(failure)).toMatch(/password/i);
        expect(inspect(failure, { depth: 20 })).not.toContain(SECRET);
        await elector.close();
      },
      LIMIT_MS,
    );

    test(
      'shows the password nowhere',
      async () => {
        await until(() => heard.length > 0);
        const everything = inspect(heard, { depth: 20, maxArrayLength: null, maxStringLength: null });
        expect(everything.includes(SECRET) ? 'a secret' : 'no secret').toBe('no secret');
        const elector = electorOn(server.url, 'shown');
        expect(inspect(elector, { depth: 20, showHidden: true }).includes(SECRET)).toBe(false);
        expect(
          JSON.stringify(elector.metrics, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
        ).not.toContain(SECRET);
        // The first request connects. On a busy machine that takes longer than the timeout of these short leases.
        for (let isAnswered = false; !isAnswered; ) {
          isAnswered = await elector.leader().then(
            () => true,
            (error: unknown) => {
              expect(inspect(error, { depth: 20 })).not.toContain(SECRET);
              return false;
            },
          );
        }
        expect(inspect(elector, { depth: 20 }).includes(SECRET)).toBe(false);
        await elector.close();
      },
      LIMIT_MS,
    );

    test(
      'keeps trying without a server, and stops when told to',
      async () => {
        const elector = electorOn(`${scheme}://app:${SECRET}@127.0.0.1:1/0`, 'nobody');
        await expect(elector.acquire({ timeoutMs: 500 })).rejects.toMatchObject({
          code: 'HUSTINGS_ACQUIRE_TIMEOUT',
        });
        const failure = await elector.leader().catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: 'HUSTINGS_STORE_UNREACHABLE' });
        expect(inspect(failure, { depth: 20 })).not.toContain(SECRET);
        await elector.close();
      },
      LIMIT_MS,
    );
  });
}

describe('an invalid URL', () => {
  test.each(['', 'redis', 'http://x', 'redis://', 'sqlite:', `redis://:${SECRET}@host:port`])(
    "'%s' is refused, and its secret is not repeated",
    async (url) => {
      const leader = async () => createElector({ store: url, name: 'x' }).leader();
      const failure = await leader().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'HUSTINGS_INPUT' });
      expect(inspect(failure, { depth: 20 })).not.toContain(SECRET);
    },
  );
});
