import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Capabilities, ExpiryRule, LeaseStore, TickClock } from '../../src/lease/lease-store.ts';
import { openStore } from '../../src/lease/open-store.ts';
import { expectKept } from '../golden/golden.ts';
import { REPLACEMENTS } from '../lease/replaced/replacements.ts';

const docs = (page: string) => new URL(`../../docs/${page}`, import.meta.url);

/** The text of the page for each capability. */
const PROMISES: Readonly<Record<Exclude<keyof Capabilities, 'caveats'>, string>> = {
  expiry: 'learns that a lease is over',
  linearizable: 'a read sees every write that was acknowledged before it',
  survivesCrash: 'acknowledged writes survive `kill -9` of the store',
  survivesFailover: 'acknowledged writes survive a failover to a replica',
  push: 'notifies waiting candidates of a release',
  audit: 'records every term in the transaction that changes the leader',
  transactions: 'grants several elections at once, all or none',
  tickClock: 'the clock by which a tick of `cron` is due',
};

/** How a store learns that a lease is over. */
const EXPIRY: Readonly<Record<ExpiryRule, string>> = {
  clock: 'by its clock',
  observation: 'by observation',
  suspicion: 'by suspicion',
};

/** Whose clock says when a tick is due. */
const TICK_CLOCK: Readonly<Record<TickClock, string>> = {
  process: "the process's",
  host: "the host's",
  server: "the server's",
  leader: "the leading server's",
  member: 'that of the server that answers',
  none: 'none',
};

/** What depends on the configuration of the server, by the scheme of the store: postgres-hosts.test.ts shows it. */
const CONDITIONS: Readonly<Record<string, string>> = {
  'survivesFailover postgres': 'with synchronous standbys',
};

/** What proves the end of a lease, and what would make that wrong. */
const PROOFS: readonly (readonly [ExpiryRule, proof: string, exception: string])[] = [
  [
    'clock',
    'the clock of the store has passed the end of the lease, in the step that grants the next one',
    'the clock is set forward, or runs faster than that of the holder by more than the margin',
  ],
  [
    'observation',
    'a candidate has seen the same record for the whole TTL of the holder and a fifteenth, on its own clock; ' +
      'a key that is gone, or a session that has ended, proves nothing',
    'the clock of the candidate runs faster than that of the holder by more than the margin',
  ],
];

describe('the stores in the docs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-choosing-'));
  // No server is needed: a store connects with its first call.
  const urls: Readonly<Record<string, string>> = {
    memory: 'memory:docs',
    SQLite: `sqlite:${join(folder, 'leases.db')}`,
    Redis: 'redis://127.0.0.1:1',
    PostgreSQL: 'postgres://127.0.0.1:1/x',
    'MySQL, MariaDB': 'mysql://127.0.0.1:1/x',
    etcd: 'etcd://127.0.0.1:1',
    ZooKeeper: 'zookeeper://127.0.0.1:1',
    Kubernetes: 'kubernetes:default',
    NATS: 'nats://127.0.0.1:1',
  };
  const titles = Object.keys(urls);
  let stores: readonly LeaseStore[];
  beforeAll(async () => {
    stores = await Promise.all(Object.values(urls).map((url) => openStore(url)));
  });
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    rmSync(folder, { recursive: true });
  });

  it('have the capabilities that their code declares', () => {
    const rows = Object.entries(PROMISES).map(([key, words]) => {
      const marks = stores.map(({ capabilities, label }) => {
        if (key === 'expiry') return EXPIRY[capabilities.expiry];
        if (key === 'tickClock') return TICK_CLOCK[capabilities.tickClock];
        const isSo = capabilities[key as keyof typeof PROMISES];
        return isSo ? 'yes' : (CONDITIONS[`${key} ${label.split(':')[0]}`] ?? 'no');
      });
      return [words, ...marks];
    });
    expectTable('choosing-a-store.md', 'capabilities', [['', ...titles], ...rows]);
  });

  it('grant a lease that they have forgotten when the tests of replaced stores say so', () => {
    const rows = Object.entries(REPLACEMENTS).flatMap(([title, grants]) =>
      Object.entries(grants).map(([how, grant]) => [title, how, grant]),
    );
    const head = ['', 'while a candidate leads', 'another candidate is elected'];
    expectTable('choosing-a-store.md', 'replaced', [head, ...rows]);
    // The memory of a process cannot be replaced.
    expect(['memory', ...Object.keys(REPLACEMENTS)]).toEqual(titles);
  });

  it('learn that a lease is over by the rule that their code declares', () => {
    const rows = PROOFS.map(([rule, proof, exception]) => {
      const titlesOfRule = titles.filter((_, index) => stores[index].capabilities.expiry === rule);
      return [`**${EXPIRY[rule]}**`, titlesOfRule.join(', '), proof, exception];
    });
    const head = ['', 'stores', 'what proves it', 'when two candidates lead all the same'];
    expectTable('guarantees.md', 'expiry', [head, ...rows]);
    const named = rows.flatMap(([, titlesOfRule]) => titlesOfRule.split(', '));
    expect(named.sort()).toEqual(titles.flatMap((title) => title.split(', ')).sort());
  });
});

/** The table between the comments of this name. */
function expectTable(page: string, name: string, [head, ...rows]: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [
    line(head).replace('|  |', '| |'),
    `|${' --- |'.repeat(head.length)}`,
    ...rows.map(line),
  ].join('\n');
  const filled = readFileSync(docs(page), 'utf8').replace(
    new RegExp(`<!-- ${name} -->\\n[\\s\\S]*?<!-- end -->`),
    `<!-- ${name} -->\n${table}\n<!-- end -->`,
  );
  expect(filled).toContain(table);
  expectKept(docs(page), filled);
}
