/** What only a server with many connections can show: races for one row, lists that cross, and waits for a lock. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith, startPostgres, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { Random } from '../../../../../study/src/kernel/random.ts';
import { StoreCalls } from '../../../../src/elector/candidate/store-calls.ts';
import { PartialAnswerError } from '../../../../src/lease/core/store-error.ts';
import {
  PostgresLeaseStore,
  type PostgresStoreOptions,
} from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { postgresStatements } from '../../../../src/lease/stores/postgres/postgres-statements.ts';
import { postgresTables } from '../../../../src/lease/stores/postgres/postgres-tables.ts';
import { claimOf, win, winAll } from './requests.ts';

await describeWith('postgres', 'connections that meet in PostgreSQL', () => {
  let server: TestServer;
  let admin: pg.Client;
  let observer: pg.Client;
  const opened: PostgresLeaseStore[] = [];
  const open = async (options: PostgresStoreOptions = {}): Promise<PostgresLeaseStore> => {
    const store = await PostgresLeaseStore.open(server.url, {
      // A list waits for a locked row for one hundredth of it.
      timeoutMs: 300_000,
      connections: 1,
      ...options,
    });
    opened.push(store);
    return store;
  };
  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Client(server.url);
    await admin.connect();
    observer = new pg.Client(server.url);
    await observer.connect();
  }, 90_000);
  afterAll(async () => {
    for (const store of opened) await store.close();
    await admin?.end();
    await observer?.end();
    await server?.stop();
  });

  /** Waits until a request was turned away by the row's lock, which the transaction of `admin` has had since it began. */
  const untilSkipped = async (): Promise<void> => {
    const tried = `SELECT FROM pg_stat_activity AS s, pg_stat_activity AS a WHERE a.pid = $1 AND s.state = 'idle'
      AND s.application_name = 'hustings' AND s.query NOT LIKE 'SELECT%' AND s.query_start > a.state_change`;
    const pid = (admin as unknown as { processID: number }).processID;
    const hasTried = async (): Promise<boolean> => (await observer.query(tried, [pid])).rowCount !== 0;
    await expect.poll(hasTried, { timeout: 20_000, interval: 5 }).toBe(true);
  };
  const untilOver = async (store: PostgresLeaseStore, name: string): Promise<void> => {
    while ((await store.read([name]))[0].remainingMs! > 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  /** Runs `during` while another transaction has the row locked; that one then commits what it wrote, or rolls back. */
  const whileLocked = async (name: string, during: () => Promise<void>, end = 'ROLLBACK'): Promise<void> => {
    await admin.query('BEGIN');
    await admin.query('SELECT FROM hustings_lease WHERE name = $1 FOR UPDATE', [name]);
    try {
      await during();
    } finally {
      await admin.query(end);
    }
  };

  it('have exactly one winner in each round, with a larger token, also when the row is new', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open()));
    for (let election = 0; election < 6; election++) {
      const name = `race ${election}`;
      const tokens: bigint[] = [];
      for (let round = 1; round <= 12; round++) {
        const answers = await Promise.all(
          stores.map((store, index) => store.acquire([claimOf(name, `${round}-${index}`)])),
        );
        const winners = answers.flatMap(([answer], index) =>
          answer.type === 'ok' ? [{ index, answer }] : [],
        );
        expect(winners).toHaveLength(1);
        const [{ index, answer }] = winners;
        expect(tokens.every((token) => token < answer.token)).toBe(true);
        tokens.unshift(answer.token);
        const release = {
          name,
          nonce: `${round}-${index}`,
          token: answer.token,
          successor: null,
          reserveMs: 0,
        };
        const released = await stores[(index + 1) % 8].release([{ ...release, reason: 'released' }]);
        expect(released).toEqual([{ type: 'ok' }]);
      }
      const terms = await stores[0].history(name);
      expect(terms.map(({ token }) => token)).toEqual(tokens);
    }
  });

  it('never wait for each other in a circle, in whatever orders their lists have the names', async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => open()));
    const work = stores.map(async (store, place) => {
      const random = new Random(place + 1);
      for (let round = 0; round < 12; round++) {
        // New names come up all the time, so that rows are also made while others wait.
        const names = Array.from({ length: 24 }, (_, index) => `list ${index + 4 * round}`)
          .map((name) => ({ name, at: random.unit() }))
          .sort((a, b) => a.at - b.at)
          .map(({ name }) => name);
        const nonce = `${place}-${round}`;
        const answers = await store.acquire(
          names.map((name) => claimOf(name, nonce, { priority: place, ttlMs: 3_600_000 })),
        );
        const held = names.flatMap((name, index) => {
          const answer = answers[index];
          return answer.type === 'ok' ? [{ name, nonce, token: answer.token }] : [];
        });
        const renewals = held.map((each) => ({ ...each, ttlMs: 3_600_000 })).reverse();
        expect((await store.renew(renewals)).every(({ type }) => type === 'ok')).toBe(true);
        const releases = held.map((each) => ({
          ...each,
          reason: 'released' as const,
          successor: null,
          reserveMs: 0,
        }));
        expect((await store.release(releases)).every(({ type }) => type === 'ok')).toBe(true);
      }
    });
    await Promise.all(work);
    const terms = (
      await Promise.all((await stores[0].names()).map((name) => stores[0].history(name)))
    ).flat();
    const { rows } = await admin.query('SELECT sum(terms) AS grants FROM hustings_lease');
    expect(`${terms.length}`).toBe(rows[0].grants);
  });

  it('never wait in a circle for rows that all of them are about to make', async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => open()));
    const random = new Random(7);
    for (let round = 0; round < 3; round++) {
      const lists = stores.map((_, place) =>
        Array.from({ length: 1_000 }, (_, index) => claimOf(`new ${round} ${index}`, `${place}`)).sort(
          () => random.unit() - 0.5,
        ),
      );
      const answers = await Promise.all(stores.map((store, place) => store.acquire(lists[place])));
      expect(answers.flat().filter(({ type }) => type === 'ok')).toHaveLength(1_000);
    }
  });

  it('see what another did while it had the row locked: a lease renewed meanwhile is held', async () => {
    const store = await open();
    const token = await win(store, claimOf('renewed', 'a', { ttlMs: 1 }));
    await untilOver(store, 'renewed');
    let answer: Promise<unknown> | undefined;
    await whileLocked(
      'renewed',
      async () => {
        answer = store.acquire([claimOf('renewed', 'b')]);
        await untilSkipped();
        await admin.query(
          "UPDATE hustings_lease SET until_ms = until_ms + 3600000, span_ms = 3600000 WHERE name = 'renewed'",
        );
      },
      'COMMIT',
    );
    expect(await answer).toMatchObject([{ type: 'held', record: { token, holder: { nonce: 'a' } } }]);
  });

  it.each([1, 2])(
    'renew no lease that ran out while they waited for the lock, in a list of %i',
    async (length) => {
      const [store, reader] = [await open(), await open()];
      const name = `late ${length}`;
      const tokens = await winAll(store, [claimOf(name, 'a', { ttlMs: 400 }), claimOf(`${name}!`, 'a')]);
      const list = [name, `${name}!`]
        .slice(0, length)
        .map((each, index) => ({ name: each, nonce: 'a', token: tokens[index], ttlMs: 3_600_000 }));
      let answer: Promise<unknown> | undefined;
      await whileLocked(name, async () => {
        answer = store.renew(list);
        await untilOver(reader, name);
      });
      expect(await answer).toMatchObject([{ type: 'lost' }, { type: 'ok' }].slice(0, length));
      expect(await reader.read([name])).toMatchObject([{ holder: null, remainingMs: 0 }]);
    },
  );

  it('give a new token to a claim repeated too late, because the lease ran out behind the lock', async () => {
    const [store, reader] = [await open(), await open()];
    const token = await win(store, claimOf('again', 'a', { ttlMs: 400 }));
    let answer: Promise<bigint> | undefined;
    await whileLocked('again', async () => {
      answer = win(store, claimOf('again', 'a'));
      await untilOver(reader, 'again');
    });
    expect((await answer!) > token).toBe(true);
    // Counted from after the wait.
    expect((await reader.read(['again']))[0].remainingMs).toBeGreaterThan(30_000);
    expect((await reader.history('again')).map(({ cause }) => cause)).toEqual([null, 'expired']);
  });

  it('give up a lock that somebody keeps, say so, and hold up no other lease', async () => {
    // One connection: a request that waits for a lock must not occupy it.
    const store = await open({ timeoutMs: 2_000, connections: 1 });
    const [stuck, free] = await winAll(store, [claimOf('stuck', 'a'), claimOf('free', 'a')]);
    const renewalOf = (name: string, token: bigint) => ({ name, nonce: 'a', token, ttlMs: 60_000 });
    await whileLocked('stuck', async () => {
      let isRefused = false;
      const refused = expect(store.renew([renewalOf('stuck', stuck)]))
        .rejects.toMatchObject({ kind: 'busy', message: expect.stringMatching(/"stuck".*pg_locks/) })
        .finally(() => {
          isRefused = true;
        });
      await untilSkipped();
      const [answer] = await store.renew([renewalOf('free', free)]);
      expect([answer.type, isRefused]).toEqual(['ok', false]);
      await refused;
    });
    expect(await store.renew([renewalOf('stuck', stuck)])).toMatchObject([{ type: 'ok' }]);
  });

  it('answer the rest of a list whose one row is locked, and that row when it is free again', async () => {
    const store = await open({ timeoutMs: 4_000 });
    const calls = StoreCalls.of(store);
    const names = Array.from({ length: 300 }, (_, index) => `batch ${index}`);
    const stuck = 'batch 7';
    const others = names.filter((name) => name !== stuck);
    /** Asks for all at once, as electors do: resolves when all but the locked one are answered. */
    const whileOneIsLocked = async <Answer>(ask: (name: string) => Promise<Answer>): Promise<Answer> => {
      let late: Promise<Answer> | undefined;
      let isAnswered = false;
      await whileLocked(stuck, async () => {
        const asked = new Map(names.map((name) => [name, ask(name)]));
        late = asked.get(stuck)!.finally(() => {
          isAnswered = true;
        });
        const given = await Promise.all(others.map((name) => asked.get(name)));
        expect(given.filter((answer) => (answer as { type: string }).type !== 'ok')).toEqual([]);
        expect(isAnswered).toBe(false);
      });
      return late!;
    };
    const tokens = await winAll(
      store,
      names.map((name) => claimOf(name, 'a')),
    );
    const held = (name: string) => ({ name, nonce: 'a', token: tokens[names.indexOf(name)] });
    expect(await whileOneIsLocked((name) => calls.renew({ ...held(name), ttlMs: 60_000 }))).toMatchObject({
      type: 'ok',
    });
    const end = { reason: 'released', successor: null, reserveMs: 0 } as const;
    expect(await whileOneIsLocked((name) => calls.release({ ...held(name), ...end }))).toEqual({
      type: 'ok',
    });
    expect(await whileOneIsLocked((name) => calls.acquire(claimOf(name, 'b')))).toMatchObject({ type: 'ok' });
  });

  it('are told of a locked row in a list as busy, never as lost or held, with the answers of the others', async () => {
    const store = await open({ timeoutMs: 2_000 });
    const tokens = await winAll(store, [claimOf('locked', 'a'), claimOf('open', 'a')]);
    const list = ['locked', 'open', 'unknown'].map((name, index) => ({
      name,
      nonce: 'a',
      token: tokens[index] ?? 1n,
      ttlMs: 60_000,
    }));
    await whileLocked('locked', async () => {
      const error = await store.renew(list).catch((reason) => reason);
      expect(error).toBeInstanceOf(PartialAnswerError);
      expect([error.kind, error.answers]).toMatchObject([
        'busy',
        [undefined, { type: 'ok' }, { type: 'lost' }],
      ]);
    });
  });

  it('renew while challengers lock the row again and again', async () => {
    const [holder, ...rest] = await Promise.all(Array.from({ length: 4 }, () => open({ timeoutMs: 10_000 })));
    const token = await win(holder, claimOf('sought', 'a'));
    let isOver = false;
    const challenge = async (store: PostgresLeaseStore, place: number): Promise<void> => {
      while (!isOver) await store.acquire([claimOf('sought', `${place}`, { priority: place + 1 })]);
    };
    const challenges = rest.map(challenge);
    const types = new Set<string>();
    for (let renewal = 0; renewal < 40; renewal++) {
      const [{ type }] = await holder.renew([{ name: 'sought', nonce: 'a', token, ttlMs: 60_000 }]);
      types.add(type);
    }
    isOver = true;
    await Promise.all(challenges);
    expect([...types]).toEqual(['ok']);
  });

  it('renew nothing in one statement that has not seen the last write of the row', async () => {
    const token = await win(await open(), claimOf('evicted', 'a'));
    const renewOne = postgresStatements(postgresTables('public')).renewOne.replace(
      'token = $3::bigint',
      '$& AND pg_advisory_xact_lock_shared(7) IS NOT NULL',
    );
    await admin.query('SELECT pg_advisory_lock(7)');
    const renewed = observer.query(renewOne, ['evicted', 'a', `${token}`, 3_600_000]);
    const isWaiting = async (): Promise<boolean> =>
      (await admin.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rowCount === 1;
    await expect.poll(isWaiting, { timeout: 20_000, interval: 5 }).toBe(true);
    await admin.query("UPDATE hustings_lease SET evicted = true, version = 100 WHERE name = 'evicted'");
    await admin.query('SELECT pg_advisory_unlock(7)');
    expect((await renewed).rowCount).toBe(0);
    const { rows } = await admin.query("SELECT evicted, version FROM hustings_lease WHERE name = 'evicted'");
    expect(rows).toEqual([{ evicted: true, version: '100' }]);
  });

  it('leave nothing behind in the session, whose next statement may be that of another', async () => {
    const { renewOne, evict } = postgresStatements(postgresTables('public'));
    await admin.query(renewOne, ['free', 'a', '1', 60_000]);
    await admin.query(evict, ['1234', ['free'], [null]]);
    expect((await admin.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
    expect((await admin.query('SELECT FROM pg_prepared_statements')).rowCount).toBe(0);
    expect((await admin.query("SELECT FROM pg_locks WHERE locktype = 'advisory'")).rowCount).toBe(0);
  });

  it('answer a thousand leases in one statement over one connection', async () => {
    const store = await open();
    const names = Array.from({ length: 1_000 }, (_, index) => `many ${index}`);
    const tokens = await winAll(
      store,
      names.map((name) => claimOf(name, 'a')),
    );
    const renewals = await store.renew(
      names.map((name, index) => ({ name, nonce: 'a', token: tokens[index], ttlMs: 60_000 })),
    );
    expect(renewals.every(({ type }) => type === 'ok')).toBe(true);
  });

  it('prune thousands of elections, and wait for none that is locked', async () => {
    const store = await open();
    const names = Array.from({ length: 2_500 }, (_, index) => `old ${index}`);
    const tokens = await winAll(
      store,
      names.map((name) => claimOf(name, 'a')),
    );
    await admin.query("UPDATE hustings_lease SET until_ms = 1000000 WHERE name LIKE 'old %'");
    await whileLocked('old 7', async () => {
      const pruned = await store.prune(3_600_000);
      expect([...pruned].sort()).toEqual(names.filter((name) => name !== 'old 7').sort());
    });
    const { rows } = await admin.query('SELECT past_token FROM hustings_layout');
    expect(tokens.filter((token) => token > BigInt(rows[0].past_token))).toEqual([]);
    expect(await store.prune(3_600_000)).toEqual(['old 7']);
  });

  it('that only wait do not touch the lease, and write their registration once in half of its time', async () => {
    const store = await open();
    await store.acquire([claimOf('quiet', 'a')]);
    const placeOf = async (table: string) =>
      (await admin.query(`SELECT ctid::text, xmin::text, xmax::text FROM ${table} WHERE name = 'quiet'`))
        .rows;
    const before = await placeOf('hustings_lease');
    const poll = (more = {}) => store.acquire([claimOf('quiet', 'b', { registerMs: 3_600_000, ...more })]);
    await poll();
    const registered = await placeOf('hustings_candidate');
    expect(registered).toHaveLength(1);
    for (let request = 0; request < 5; request++) await poll();
    expect(await placeOf('hustings_candidate')).toEqual(registered);
    // The first request of a candidate of higher priority is noted in the lease; others within half of its TTL are not.
    expect(await placeOf('hustings_lease')).toEqual(before);
    await poll({ priority: 1 });
    const noted = await placeOf('hustings_lease');
    expect(noted).not.toEqual(before);
    for (let request = 0; request < 5; request++) await poll({ priority: 1 });
    expect(await placeOf('hustings_lease')).toEqual(noted);
    // Less than half is left.
    await admin.query("UPDATE hustings_candidate SET until_ms = until_ms - 2400000 WHERE name = 'quiet'");
    const moved = await placeOf('hustings_candidate');
    await poll();
    expect(await placeOf('hustings_candidate')).not.toEqual(moved);
    await admin.query("UPDATE hustings_candidate SET until_ms = 0 WHERE name = 'quiet'");
    await store.acquire([claimOf('quiet', 'c', { registerMs: 3_600_000 })]);
    const { rows } = await admin.query("SELECT nonce FROM hustings_candidate WHERE name = 'quiet'");
    expect(rows).toEqual([{ nonce: 'c' }]);
  });
});
