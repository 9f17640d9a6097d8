import { describe, expect, it } from 'vitest';
import { entrySources, readManifest } from './package/manifest.ts';
import { unreached } from './reached.ts';
import { readSources } from './source-file.ts';

/** What users import and run, the page that Vite bundles, and programs that are started by their path. */
const entries = [
  ...entrySources(readManifest()),
  'packages/lab/src/page/main.tsx',
  'packages/lab/src/demo/demo-worker.ts',
];

describe('every file of src', () => {
  it('is reached from an entry of exports or bin in package.json, or from the page of the lab', () => {
    expect(unreached(readSources(), entries)).toEqual([]);
  });

  it.each(entries)('has the entry %s', (entry) => {
    expect(readSources().map(({ path }) => path)).toContain(entry);
  });
});

describe('the search for unreachable files', () => {
  it('finds one, follows imports and re-exports, and terminates on a cycle', () => {
    const files = [
      { path: 'packages/hustings/src/index.ts', text: "export * from './kernel/a.ts';" },
      { path: 'packages/study/src/kernel/a.ts', text: "import './b.ts';" },
      { path: 'packages/study/src/kernel/b.ts', text: "import './a.ts';" },
      { path: 'packages/study/src/kernel/forgotten.ts', text: "import './a.ts';" },
    ];
    expect(unreached(files, ['packages/hustings/src/index.ts'])).toEqual([
      'packages/study/src/kernel/forgotten.ts',
    ]);
  });
});
