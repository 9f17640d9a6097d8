import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missing } from '../../../../../../test-kit/programs/programs.ts';
import { describeWith, startPostgres, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { startPgbouncer } from '../../../../../../test-kit/servers/pgbouncer-server.ts';
import { aborted } from '../../../../../../test-kit/until.ts';
import { createElector } from '../../../../src/elector/create-elector.ts';
import type { Elector } from '../../../../src/elector/elector.ts';
import { PostgresLeaseStore } from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { adminHooks } from './admin-hooks.ts';

const reason = await missing('pgbouncer');

await describeWith(
  'postgres',
  `leases through PgBouncer in transaction mode${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    if (reason !== undefined) {
      it.skip(reason);
      return;
    }
    let server: TestServer;
    let pooler: TestServer;
    let admin: pg.Client;
    beforeAll(async () => {
      server = await startPostgres();
      pooler = await startPgbouncer(server);
      admin = new pg.Client(server.url);
      admin.on('error', () => undefined);
      await admin.connect();
    }, 90_000);
    afterAll(async () => {
      await admin?.end();
      await pooler?.stop();
      await server?.stop();
    });

    storeContract('PostgreSQL through PgBouncer', {
      open: (options) => PostgresLeaseStore.open(pooler.url, options),
      ...adminHooks(() => admin),
      isSilent: true,
    });

    describe('without notifications', () => {
      const electorOf = (id: string): Elector =>
        createElector({ store: pooler.url, name: 'pooled', id, ttlMs: 15_000, processProof: '' });

      it('a waiter takes over a released lease by polling, long before a TTL', async () => {
        await using first = electorOf('first');
        await using second = electorOf('second');
        const lead = await first.acquire();
        const waiting = second.acquire();
        await sleep(3_000);
        const releasedMs = performance.now();
        await lead.release();
        const next = await waiting;
        expect(performance.now() - releasedMs).toBeLessThan(7_500);
        await next.release();
      });

      it('twelve transfers in a row reach the candidate that was named', async () => {
        const names = ['red', 'green', 'blue'];
        const electors = names.map(electorOf);
        const stop = new AbortController();
        let leader = '';
        const runs = electors.map((elector, at) =>
          elector.campaign(
            async (lead) => {
              leader = names[at];
              await aborted(lead.signal);
            },
            { signal: stop.signal },
          ),
        );
        const store = await PostgresLeaseStore.open(pooler.url);
        try {
          while (leader === '') await sleep(50);
          for (let count = 0; count < 12; count++) {
            const to = names.filter((name) => name !== leader)[count % 2];
            while ((await store.requestTransfer('pooled', to)) !== 'requested') await sleep(200);
            const endMs = performance.now() + 30_000;
            while (leader !== to && performance.now() < endMs) await sleep(50);
            expect(leader).toBe(to);
          }
        } finally {
          stop.abort();
          await Promise.all(runs);
          await Promise.all(electors.map((elector) => elector.close()));
          await store.close();
        }
      }, 400_000);
    });
  },
);
