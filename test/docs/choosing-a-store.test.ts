import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import type { Capabilities } from '../../src/lease/lease-store.ts';
import { openStore } from '../../src/lease/open-store.ts';
import { expectKept } from '../golden/golden.ts';

const page = new URL('../../docs/choosing-a-store.md', import.meta.url);

/** The text of the page for each capability. */
const PROMISES: Readonly<Record<Exclude<keyof Capabilities, 'caveats'>, string>> = {
  clock: 'decides by its own clock when a lease expires',
  linearizable: 'a read sees every write that was acknowledged before it',
  survivesCrash: 'acknowledged writes survive `kill -9` of the store',
  survivesFailover: 'acknowledged writes survive a failover to a replica',
  push: 'notifies waiting candidates of a release',
  audit: 'records every term in the transaction that changes the leader',
  transactions: 'grants several elections at once, all or none',
};

/** What depends on the configuration of the server, by the scheme of the store: postgres-hosts.test.ts shows it. */
const CONDITIONS: Readonly<Record<string, string>> = {
  'survivesFailover postgres': 'with synchronous standbys',
};

describe('docs/choosing-a-store.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-choosing-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('shows the capabilities that each store declares', async () => {
    // No server is needed: a store connects with its first call.
    const urls = [
      'memory:docs',
      `sqlite:${join(folder, 'leases.db')}`,
      'redis://127.0.0.1:1',
      'postgres://127.0.0.1:1/x',
      'mysql://127.0.0.1:1/x',
      'etcd://127.0.0.1:1',
      'zookeeper://127.0.0.1:1',
      'kubernetes:default',
      'nats://127.0.0.1:1',
    ];
    const stores = await Promise.all(urls.map((url) => openStore(url)));
    const rows = Object.entries(PROMISES).map(([key, words]) => {
      const marks = stores.map(({ capabilities, label }) =>
        capabilities[key as keyof typeof PROMISES]
          ? 'yes'
          : (CONDITIONS[`${key} ${label.split(':')[0]}`] ?? 'no'),
      );
      return `| ${[words, ...marks].join(' | ')} |`;
    });
    for (const store of stores) await store.close();
    const table = [
      '| | memory | SQLite | Redis | PostgreSQL | MySQL, MariaDB | etcd | ZooKeeper | Kubernetes | NATS |',
      `| --- |${' --- |'.repeat(stores.length)}`,
      ...rows,
    ].join('\n');
    const filled = readFileSync(page, 'utf8').replace(
      /<!-- capabilities -->\n[\s\S]*?<!-- end -->/,
      `<!-- capabilities -->\n${table}\n<!-- end -->`,
    );
    expectKept(page, filled);
  });
});
