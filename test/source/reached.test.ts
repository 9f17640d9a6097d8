import { describe, expect, it } from 'vitest';
import { entrySources, readManifest } from './package/manifest.ts';
import { unreached } from './reached.ts';
import { readSources } from './source-file.ts';

/** What users import and run, the page that Vite bundles, and programs that are started by their path. */
const entries = [...entrySources(readManifest()), 'src/lab/page/main.tsx', 'src/lab/demo/demo-worker.ts'];

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
      { path: 'src/index.ts', text: "export * from './kernel/a.ts';" },
      { path: 'src/kernel/a.ts', text: "import './b.ts';" },
      { path: 'src/kernel/b.ts', text: "import './a.ts';" },
      { path: 'src/kernel/forgotten.ts', text: "import './a.ts';" },
    ];
    expect(unreached(files, ['src/index.ts'])).toEqual(['src/kernel/forgotten.ts']);
  });
});
