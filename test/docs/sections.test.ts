/** Pages that are generated in part, from the code alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createElector, prometheusText } from '../../packages/hustings/src/index.ts';
import { REPLACEMENTS } from '../../packages/hustings/test/lease/replaced/replacements.ts';
import * as door from '../../packages/study/src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../packages/study/src/kernel/index.ts';
import { indexText } from '../../scripts/generate.mjs';
import { expectKept } from '../../test-kit/golden/golden.ts';
import { fillRegions, type Makers, regionsOf, tableOf } from '../../test-kit/golden/regions.ts';
import { difference, fileOf, kitOf } from './examples.ts';
import { handlerTable, tableNames } from './handlers.ts';
import { explainedTitles, GUARANTEES, STORE_PAGES, STORES, storeTitles } from './store-tables.ts';

const root = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(root(path), 'utf8');
const pages = ['docs', 'docs/jobs', 'docs/stores'].flatMap((folder) =>
  readdirSync(root(folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`),
);

/** The metrics of an elector, with the texts that Prometheus gets. */
function metricTable(): string[] {
  const text = prometheusText([createElector({ store: 'memory:', name: 'x' }).metrics]);
  const rows = [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)];
  return tableOf(
    ['metric', 'type', 'meaning'],
    rows.map(([, name, help, type]) => [`\`${name}\``, type, help]),
  );
}

function rowOf({ name, assumes, cost, source }: AnyAlgorithm): string[] {
  const nodes = assumes.ids === 'unique' ? '' : ', anonymous';
  const link = `[${name}](algorithms/${name}.md)`;
  return [link, `${assumes.network}${nodes}`, assumes.timing, cost, source];
}

const MAKERS: Readonly<Record<string, Makers>> = {
  ...STORE_PAGES,
  'docs/choosing-a-store.md': STORES,
  'docs/guarantees.md': GUARANTEES,
  'docs/elector.md': { metrics: metricTable },
  'docs/handlers.md': { table: handlerTable },
  'docs/your-own-election.md': { diff: difference },
  'docs/index.md': {
    algorithms: () =>
      tableOf(['algorithm', 'network', 'timing', 'messages', 'source'], door.registry.map(rowOf)),
  },
};

/** Pages of jobs, and the file that each shows. */
const JOBS: Readonly<Record<string, string>> = {
  bullmq: 'file bullmq',
  cron: 'file nightly-report',
  'http-service': 'file http-service',
  kubernetes: 'kit kubernetes/deployment.yaml',
  migration: 'file migrate',
  'queue-consumer': 'file queue-consumer',
  systemd: 'kit systemd/billing.service',
};

describe('the sections that are made from the code', () => {
  it.each(['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...pages])(
    '%s has them, and counts the algorithms',
    (path) => {
      const page = read(path);
      const filled = fillRegions(page, { file: fileOf, kit: kitOf, ...MAKERS[path] });
      expectKept(root(path), filled.replace(/\b\d+(?= algorithms\b)/g, String(door.registry.length)));
      const regions = regionsOf(page).map((region) => region.split(' ')[0]);
      expect(regions).toEqual(expect.arrayContaining(Object.keys(MAKERS[path] ?? {})));
    },
  );

  it('are complete', () => {
    expect(read('README.md')).toMatch(/\b\d+ algorithms\b/);
    const tables = tableNames().map((name) => `table ${name}`);
    expect(regionsOf(read('docs/handlers.md'))).toEqual(expect.arrayContaining(tables));
    expect(regionsOf(read('docs/leases.md'))).toEqual(['file worker']);
    for (const [job, region] of Object.entries(JOBS)) {
      expect([job, regionsOf(read(`docs/jobs/${job}.md`))]).toEqual([job, [region]]);
    }
    // The memory of a process cannot be replaced.
    expect(['memory', ...Object.keys(REPLACEMENTS)]).toEqual(storeTitles);
    expect(explainedTitles.sort()).toEqual(storeTitles.flatMap((title) => title.split(', ')).sort());
  });
});

it('@hustings/study/algorithms exports every algorithm of the registry by name: run npm run generate', () => {
  const lines = (text: string): string[] => text.split('\n').sort();
  const [index, registry] = ['index', 'registry'].map((name) =>
    read(`packages/study/src/algorithms/${name}.ts`),
  );
  expect(lines(index)).toEqual(lines(indexText(registry)));
  expect(Object.values(door)).toEqual(expect.arrayContaining([...door.registry]));
});
