/** ARCHITECTURE.md against the tree: its folders, and the doors of the package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readManifest } from '../source/package/manifest.ts';
import { ROOT } from '../source/source-file.ts';

const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

it('ARCHITECTURE.md lists every folder of src, and no other', () => {
  const [, tree = ''] = /```\nsrc\/\n([\s\S]*?)```/.exec(page) ?? [];
  const listed = [...tree.matchAll(/^ {2}([\w-]+)\/ /gm)].map(([, folder]) => folder);
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  expect(listed.sort()).toEqual(folders.sort());
});

it('ARCHITECTURE.md lists every door of the package', () => {
  const [, table = ''] = /## Public doors\n([\s\S]*?)\n## /.exec(page) ?? [];
  const { exports } = readManifest();
  const doors = Object.keys(exports).map((path) => path.slice(1));
  // Those of the stores are named by an example.
  const named = doors.filter((door) => !/^\/lease\/(?!fence|sqlite)/.test(door));
  expect(named.filter((door) => !table.includes(`${door}\``))).toEqual([]);
});
