import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Capabilities } from '../../src/lease/lease-store.ts';
import { openStore } from '../../src/lease/open-store.ts';

const page = readFileSync(new URL('../../docs/choosing-a-store.md', import.meta.url), 'utf8');

/** The words of the page for each promise. */
const PROMISES: Readonly<Record<Exclude<keyof Capabilities, 'caveats'>, string>> = {
  clock: 'judges by its own clock when a lease is over',
  linearizable: 'a read sees every write that was answered before it',
  survivesCrash: 'what was answered is there after kill −9 of the store',
  survivesFailover: 'the same after a replica took over',
  push: 'says at once that a lease was given back',
  audit: 'keeps who led when, written in the same step',
};

describe('docs/choosing-a-store.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-choosing-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('says of each store what the store says of itself', async () => {
    // Neither server need be there: a store connects with its first call.
    const urls = [
      'memory:docs',
      `sqlite:${join(folder, 'leases.db')}`,
      'redis://127.0.0.1:1',
      'postgres://127.0.0.1:1/x',
    ];
    const stores = await Promise.all(urls.map((url) => openStore(url)));
    const rows = Object.entries(PROMISES).map(([key, words]) => {
      const marks = stores.map(({ capabilities }) =>
        capabilities[key as keyof typeof PROMISES] ? 'yes' : 'no',
      );
      return `| ${[words, ...marks].join(' | ')} |`;
    });
    for (const store of stores) await store.close();
    const table = [
      '| | memory | SQLite | Redis | PostgreSQL |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
    expect(page).toContain(`<!-- capabilities -->\n${table}\n<!-- end -->`);
  });
});
