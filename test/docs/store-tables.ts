/** The tables about stores in docs/choosing-a-store.md, in docs/stores and in docs/guarantees.md. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { END_REASONS, LOSS_REASONS } from '../../packages/hustings/src/lease/core/end-reason.ts';
import type { Capabilities, ExpiryRule, TickClock } from '../../packages/hustings/src/lease/lease-store.ts';
import { openStore } from '../../packages/hustings/src/lease/open-store.ts';
import { parseStoreUrl } from '../../packages/hustings/src/lease/stores/registry.ts';
import { REPLACEMENTS } from '../../packages/hustings/test/lease/replaced/replacements.ts';
import { type Makers, tableOf } from '../../test-kit/golden/regions.ts';

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

// No server is needed: a store connects with its first call.
const folder = mkdtempSync(join(tmpdir(), 'hustings-choosing-'));
const URLS: Readonly<Record<string, string>> = {
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
export const storeTitles = Object.keys(URLS);
const stores = await Promise.all(Object.values(URLS).map((url) => openStore(url)));
await Promise.all(stores.map((store) => store.close()));
rmSync(folder, { recursive: true });

function cellOf(key: string, index: number): string {
  const { capabilities, label } = stores[index];
  if (key === 'expiry') return EXPIRY[capabilities.expiry];
  if (key === 'tickClock') return TICK_CLOCK[capabilities.tickClock];
  if (capabilities[key as keyof typeof PROMISES]) return 'yes';
  return CONDITIONS[`${key} ${label.split(':')[0]}`] ?? 'no';
}

/** What the stores with these indices promise, a column each. */
const capabilityTable = (indices: readonly number[]): string[] =>
  tableOf(
    ['', ...indices.map((index) => storeTitles[index])],
    Object.entries(PROMISES).map(([key, words]) => [words, ...indices.map((index) => cellOf(key, index))]),
  );

const titlesOfRule = (rule: ExpiryRule): string =>
  storeTitles.filter((_, index) => stores[index].capabilities.expiry === rule).join(', ');

export const STORES: Makers = { capabilities: () => capabilityTable([...stores.keys()]) };

function makersOf(title: string, index: number): Makers {
  const capabilities = (): string[] => capabilityTable([index]);
  // The memory of a process cannot be replaced.
  if (!(title in REPLACEMENTS)) return { capabilities };
  const grants = Object.entries(REPLACEMENTS[title as keyof typeof REPLACEMENTS]);
  return {
    capabilities,
    replaced: () => tableOf(['while a candidate leads', 'another candidate is elected'], grants),
  };
}

/** The tables of the page of each store, by the path of that page. */
export const STORE_PAGES: Readonly<Record<string, Makers>> = Object.fromEntries(
  storeTitles.map((title, index) => {
    const { store } = parseStoreUrl(URLS[title]);
    return [`docs/stores/${store.kind}.md`, makersOf(title, index)];
  }),
);

/** The stores whose rule of expiry the table explains. */
export const explainedTitles = PROOFS.flatMap(([rule]) => titlesOfRule(rule).split(', '));

export const GUARANTEES: Makers = {
  expiry: () =>
    tableOf(
      ['', 'stores', 'what proves it', 'when two candidates lead all the same'],
      PROOFS.map(([rule, ...proof]) => [`**${EXPIRY[rule]}**`, titlesOfRule(rule), ...proof]),
    ),
  reasons: () =>
    tableOf(
      ['reason', ''],
      Object.entries({ ...LOSS_REASONS, ...END_REASONS }).map(([reason, text]) => [`\`${reason}\``, text]),
    ),
};
