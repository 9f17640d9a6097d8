/** What only a server with many connections can show: races for one row, lists that cross, and waits for a lock. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StoreCalls } from '../../../../src/elector/candidate/store-calls.ts';
import { Random } from '../../../../src/kernel/random.ts';
import type { AcquireRequest } from '../../../../src/lease/core/calls.ts';
import { PartialAnswerError } from '../../../../src/lease/store-error.ts';
import {
  PostgresLeaseStore,
  type PostgresStoreOptions,
} from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { postgresStatements } from '../../../../src/lease/stores/postgres/postgres-statements.ts';
import { postgresTables } from '../../../../src/lease/stores/postgres/postgres-tables.ts';
import { describeWith, startPostgres, type TestServer } from '../../servers/index.ts';

const claimOf = (name: string, nonce: string, more: Partial<AcquireRequest> = {}): AcquireRequest => ({
  name,
  id: nonce,
  nonce,
  ttlMs: 60_000,
  priority: 0,
  processProof: '',
  goneNonce: null,
  staleVersion: null,
  holdAtLeastMs: 0,
  registerMs: 0,
  ...more,
});

await describeWith('postgres', 'connections that meet in PostgreSQL', () => {
  let server: TestServer;
  let admin: pg.Client;
  let observer: pg.Client;
  const opened: PostgresLeaseStore[] = [];
  const open = async (options: PostgresStoreOptions = {}): Promise<PostgresLeaseStore> => {
    const store = await PostgresLeaseStore.open(server.url, {
      timeoutMs: 30_000,
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

  it('have exactly one winner in each round, with the next token, also when the row is new', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open()));
    for (let election = 0; election < 6; election++) {
      const name = `race ${election}`;
      for (let round = 1; round <= 12; round++) {
        const answers = await Promise.all(
          stores.map((store, index) => store.acquire([claimOf(name, `${round}-${index}`)])),
        );
        const winners = answers.flatMap(([answer], index) =>
          answer.type === 'ok' ? [{ index, answer }] : [],
        );
        expect(winners.map(({ answer }) => answer.token)).toEqual([BigInt(round)]);
        const [{ index, answer }] = winners;
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
      expect(terms.map(({ token }) => token)).toEqual(
        Array.from({ length: 12 }, (_, place) => BigInt(12 - place)),
      );
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
        const answers = await store.acquire(names.map((name) => claimOf(name, nonce, { priority: place })));
        const held = names.flatMap((name, index) => {
          const answer = answers[index];
          return answer.type === 'ok' ? [{ name, nonce, token: answer.token }] : [];
        });
        const renewals = held.map((each) => ({ ...each, ttlMs: 60_000 })).reverse();
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
    const { rows } = await admin.query('SELECT sum(token) AS grants FROM hustings_lease');
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
    await store.acquire([claimOf('renewed', 'a', { ttlMs: 1 })]);
    await untilOver(store, 'renewed');
    let answer: Promise<unknown> | undefined;
    await whileLocked(
      'renewed',
      async () => {
        answer = store.acquire([claimOf('renewed', 'b')]);
        await untilSkipped();
        await admin.query("UPDATE hustings_lease SET until_ms = until_ms + 3600000 WHERE name = 'renewed'");
      },
      'COMMIT',
    );
    expect(await answer).toMatchObject([{ type: 'held', record: { token: 1n, holder: { nonce: 'a' } } }]);
  });

  it.each([1, 2])(
    'renew no lease that ran out while they waited for the lock, in a list of %i',
    async (length) => {
      const [store, reader] = [await open(), await open()];
      const name = `late ${length}`;
      await store.acquire([claimOf(name, 'a', { ttlMs: 400 }), claimOf(`${name}!`, 'a')]);
      const list = [name, `${name}!`]
        .slice(0, length)
        .map((each) => ({ name: each, nonce: 'a', token: 1n, ttlMs: 60_000 }));
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
    await store.acquire([claimOf('again', 'a', { ttlMs: 400 })]);
    let answer: Promise<unknown> | undefined;
    await whileLocked('again', async () => {
      answer = store.acquire([claimOf('again', 'a')]);
      await untilOver(reader, 'again');
    });
    expect(await answer).toEqual([{ type: 'ok', token: 2n }]);
    // Counted from after the wait.
    expect((await reader.read(['again']))[0].remainingMs).toBeGreaterThan(30_000);
    expect((await reader.history('again')).map(({ cause }) => cause)).toEqual([null, 'expired']);
  });

  it('give up a lock that somebody keeps, say so, and hold up no other lease', async () => {
    // One connection: a request that waits for a lock must not occupy it.
    const store = await open({ timeoutMs: 2_000, connections: 1 });
    await store.acquire([claimOf('stuck', 'a'), claimOf('free', 'a')]);
    const renewalOf = (name: string) => ({ name, nonce: 'a', token: 1n, ttlMs: 60_000 });
    await whileLocked('stuck', async () => {
      let isRefused = false;
      const refused = expect(store.renew([renewalOf('stuck')]))
        .rejects.toMatchObject({ kind: 'busy', message: expect.stringMatching(/"stuck".*pg_locks/) })
        .finally(() => {
          isRefused = true;
        });
      await untilSkipped();
      const free = await store.renew([renewalOf('free')]);
      expect([free[0].type, isRefused]).toEqual(['ok', false]);
      await refused;
    });
    expect(await store.renew([renewalOf('stuck')])).toMatchObject([{ type: 'ok' }]);
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
    await store.acquire(names.map((name) => claimOf(name, 'a')));
    const held = { nonce: 'a', token: 1n };
    expect(await whileOneIsLocked((name) => calls.renew({ name, ...held, ttlMs: 60_000 }))).toMatchObject({
      type: 'ok',
    });
    const end = { reason: 'released', successor: null, reserveMs: 0 } as const;
    expect(await whileOneIsLocked((name) => calls.release({ name, ...held, ...end }))).toEqual({
      type: 'ok',
    });
    expect(await whileOneIsLocked((name) => calls.acquire(claimOf(name, 'b')))).toMatchObject({ type: 'ok' });
  });

  it('are told of a locked row in a list as busy, never as lost or held, with the answers of the others', async () => {
    const store = await open({ timeoutMs: 2_000 });
    await store.acquire([claimOf('locked', 'a'), claimOf('open', 'a')]);
    const list = ['locked', 'open', 'unknown'].map((name) => ({
      name,
      nonce: 'a',
      token: 1n,
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
    await holder.acquire([claimOf('sought', 'a')]);
    let isOver = false;
    const challenge = async (store: PostgresLeaseStore, place: number): Promise<void> => {
      while (!isOver) await store.acquire([claimOf('sought', `${place}`, { priority: place + 1 })]);
    };
    const challenges = rest.map(challenge);
    const types = new Set<string>();
    for (let renewal = 0; renewal < 40; renewal++) {
      const [{ type }] = await holder.renew([{ name: 'sought', nonce: 'a', token: 1n, ttlMs: 60_000 }]);
      types.add(type);
    }
    isOver = true;
    await Promise.all(challenges);
    expect([...types]).toEqual(['ok']);
  });

  it('leave nothing behind in the session, whose next statement may be that of another', async () => {
    const { renewOne, evict } = postgresStatements(postgresTables('public'));
    await admin.query(renewOne, ['1234', 'free', 'a', '1', 60_000]);
    await admin.query(evict, ['1234', ['free']]);
    expect((await admin.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
    expect((await admin.query('SELECT FROM pg_prepared_statements')).rowCount).toBe(0);
    expect((await admin.query("SELECT FROM pg_locks WHERE locktype = 'advisory'")).rowCount).toBe(0);
  });

  it('answer a thousand leases in one statement over one connection', async () => {
    const store = await open();
    const names = Array.from({ length: 1_000 }, (_, index) => `many ${index}`);
    const claims = await store.acquire(names.map((name) => claimOf(name, 'a')));
    expect(claims).toEqual(names.map(() => ({ type: 'ok', token: 1n })));
    const renewals = await store.renew(names.map((name) => ({ name, nonce: 'a', token: 1n, ttlMs: 60_000 })));
    expect(renewals.every(({ type }) => type === 'ok')).toBe(true);
  });

  it('that only wait leave no trace: a claim on what another holds writes nothing', async () => {
    const store = await open();
    await store.acquire([claimOf('quiet', 'a')]);
    const place = async () =>
      (
        await admin.query(
          "SELECT ctid::text, xmin::text, xmax::text FROM hustings_lease WHERE name = 'quiet'",
        )
      ).rows;
    const before = await place();
    for (let poll = 0; poll < 5; poll++) await store.acquire([claimOf('quiet', 'b')]);
    expect(await place()).toEqual(before);
  });
});
