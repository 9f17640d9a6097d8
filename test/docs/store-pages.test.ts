/** The pages of docs/stores: the same headings in the same order, and every setting that a URL can have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../packages/hustings/src/lease/open-store.ts';
import { STORES } from '../../packages/hustings/src/lease/stores/registry.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { isRunnable } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';

const HEADINGS = [
  'URL',
  'Install and prepare',
  'Settings',
  'An existing client',
  'Guarantees',
  'Watch it',
  'Check that no two terms overlapped',
];

/** A URL without a query for each form that has settings of its own. PostgreSQL's client library reads the query of its URL. */
const URLS: Readonly<Record<string, string>> = {
  redis: 'redis+sentinel://127.0.0.1:1/group',
  mysql: 'mysql://127.0.0.1:1/x',
  etcd: 'etcd://127.0.0.1:1',
  zookeeper: 'zookeeper://127.0.0.1:1',
  kubernetes: 'kubernetes:default',
  nats: 'nats://127.0.0.1:1',
};

const pageOf = (kind: string): string => readFileSync(join(ROOT, `docs/stores/${kind}.md`), 'utf8');

function sectionOf(page: string, title: string): string {
  return page.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? '';
}

/** The settings in the first column of the table. */
function settingsOf(page: string): string[] {
  const rows = [...sectionOf(page, 'Settings').matchAll(/^\| (`.*?) \|/gm)];
  return rows.flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word));
}

/** The settings that the error for an unknown one lists. */
async function acceptedBy(url: string): Promise<string[]> {
  const message = await openStore(`${url}?unknown=1`).then(
    () => '',
    (error: Error) => error.message,
  );
  return /can only have (.*); remove/.exec(message)?.[1].split(', ') ?? [];
}

describe.each(STORES.map(({ kind }) => kind))('docs/stores/%s.md', (kind) => {
  const page = pageOf(kind);

  it('has the headings of every page of a store, in their order', () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(HEADINGS);
  });

  it('has no code block that pages-for-services.test.ts should run, unless the store needs no server', () => {
    const run = parseBlocks(page).filter((block) => isRunnable(block) && block.notRun === undefined);
    expect(run.length > 0).toBe(kind === 'sqlite' || kind === 'memory');
  });

  it('says how to check afterwards that no two terms overlapped', () => {
    const code = parseBlocks(sectionOf(page, HEADINGS[6])).map((block) => block.code);
    // The history in the memory of a process is invisible to a command.
    const check = kind === 'memory' ? /overlaps\(await store\.history/ : /hustings history .* --check$/;
    expect(code.join('\n')).toMatch(check);
  });
});

describe('the settings of a URL', () => {
  it.each(Object.entries(URLS))('of %s are those of its page', async (kind, url) => {
    const accepted = await acceptedBy(url);
    expect(accepted).not.toEqual([]);
    expect(settingsOf(pageOf(kind)).sort()).toEqual(accepted.sort());
  });

  it('are found in a table', () => {
    const page =
      '## Settings\n\n| in the URL | | default |\n| --- | --- | --- |\n| `a`, `b` | the `c` | 1 |\n\n## Next\n';
    expect(settingsOf(page)).toEqual(['a', 'b']);
  });
});
