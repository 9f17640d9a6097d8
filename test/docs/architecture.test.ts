/** ARCHITECTURE.md against the tree: its folders, and the doors of the package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PUBLIC_DOORS } from '../../scripts/sources.mjs';
import { ROOT } from '../source/source-file.ts';

const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

it('ARCHITECTURE.md lists every package and the folders of its sources, and no other', () => {
  const [, tree = ''] = /```\npackages\/\n([\s\S]*?)```/.exec(page) ?? [];
  const listed: string[] = [];
  for (const [, space, name] of tree.matchAll(/^( +)([\w-]+)\/ /gm)) {
    listed.push(space.length === 2 ? name : `${listed.findLast((each) => !each.includes('/'))}/${name}`);
  }
  const folders = (path: string): string[] =>
    readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  const packages = folders('packages');
  const all = packages.flatMap((name) => [
    name,
    ...folders(`packages/${name}/src`).map((folder) => `${name}/${folder}`),
  ]);
  expect(listed.sort()).toEqual(all.sort());
});

it('ARCHITECTURE.md lists every public door', () => {
  const [, table = ''] = /## Public doors\n([\s\S]*?)\n## /.exec(page) ?? [];
  const doors = PUBLIC_DOORS.map(({ specifier }) => specifier);
  // Those of the stores are named by an example.
  const named = doors.filter((door) => !/^hustings\/lease\/(?!fence|sqlite)/.test(door));
  expect(named.filter((door) => !table.includes(`\`${door}\``))).toEqual([]);
});
