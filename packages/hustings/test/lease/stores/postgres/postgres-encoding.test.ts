import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { describeWith, startPostgres } from '../../../../../../test-kit/servers/index.ts';
import { createElector } from '../../../../src/index.ts';
import { doctor } from '../../../../src/lease/index.ts';
import { PostgresLeaseStore } from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { claimOf } from '../../contract/suite.ts';

/** Neither is in LATIN1. A control character is what the store itself writes before a text that it has changed. */
const METADATA = { city: '漢€', ключ: ['"\\', 'ä'] };
const CHECKPOINT = '\u0001"漢€😀\n\\u0041ä';

await describeWith('postgres', 'PostgreSQL with a database that is not UTF8', async () => {
  const server = await startPostgres();
  const admin = new pg.Client(server.url);
  await admin.connect();
  afterAll(async () => {
    await admin.end();
    await server.stop();
  });
  const open = async (encoding: string): Promise<PostgresLeaseStore> => {
    await admin.query(
      `CREATE DATABASE in_${encoding} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    );
    const url = new URL(server.url);
    url.pathname = `/in_${encoding.toLowerCase()}`;
    return PostgresLeaseStore.open(url.href);
  };

  it.each(['LATIN1', 'SQL_ASCII'])(
    '%s keeps metadata and checkpoints of any characters',
    async (encoding) => {
      const store = await open(encoding);
      const elector = createElector({ store, name: 'ä', id: 'é', metadata: METADATA, processProof: '' });
      const lead = await elector.acquire();
      await lead.saveCheckpoint(CHECKPOINT);
      const [record] = await store.read(['ä']);
      expect(record).toMatchObject({ holder: { id: 'é' }, metadata: METADATA, checkpoint: CHECKPOINT });
      lead.setMetadata({ zone: '漢' });
      await expect.poll(async () => (await store.read(['ä']))[0].metadata).toEqual({ zone: '漢' });
      await lead.release({ checkpoint: `${CHECKPOINT}2` });
      expect((await store.history('ä')).map(({ metadata }) => metadata)).toEqual([{ zone: '漢' }]);
      const next = await elector.acquire();
      expect(next.checkpoint).toBe(`${CHECKPOINT}2`);
      await next.release({ checkpoint: '' });
      expect((await store.read(['ä']))[0].checkpoint).toBeNull();
      await store.close();
    },
  );

  it('refuses a name or an id that its encoding lacks, before the term, and doctor says so', async () => {
    const store = await open('LATIN2');
    const text =
      'the encoding of the database lacks a character of a name or an id; use ASCII names, or a database with UTF8';
    for (const claim of [claimOf('漢', 'a'), claimOf('job', '漢')]) {
      await expect(store.acquire([claim])).rejects.toMatchObject({
        kind: 'unusable',
        message: expect.stringContaining(text),
      });
    }
    expect(await store.names()).toEqual([]);
    const { warnings } = await doctor(store);
    expect(warnings).toContain(
      'The encoding of the database is LATIN2: names and ids with characters that it lacks are refused. A database with UTF8 has all.',
    );
    await store.close();
  });
});
