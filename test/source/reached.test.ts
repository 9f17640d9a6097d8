import { describe, expect, it } from 'vitest';
import { DOORS } from '../../scripts/sources.mjs';
import { unreached } from './reached.ts';
import { readSources } from './source-file.ts';

/** What users import and run, the page that Vite bundles, and programs that are started by their path. */
const entries = [
  ...DOORS.map(({ source }) => source),
  'packages/hustings/src/cli/main.ts',
  'packages/lab/src/page/main.tsx',
  'packages/lab/src/demo/demo-worker.ts',
];

describe('every file of src', () => {
  it('is reached from a door of a package, a program, or the page of the lab', () => {
    expect(unreached(readSources(), entries)).toEqual([]);
  });

  it.each(entries)('has the entry %s', (entry) => {
    expect(readSources().map(({ path }) => path)).toContain(entry);
  });
});

describe('the search for unreachable files', () => {
  it('finds one, follows imports and re-exports, and terminates on a cycle', () => {
    const files = [
      { path: 'packages/hustings/src/index.ts', text: "export * from '@hustings/study/internal/kernel/a';" },
      { path: 'packages/study/src/kernel/a.ts', text: "import './b.ts';" },
      { path: 'packages/study/src/kernel/b.ts', text: "import './a.ts';" },
      { path: 'packages/study/src/kernel/forgotten.ts', text: "import './a.ts';" },
    ];
    expect(unreached(files, ['packages/hustings/src/index.ts'])).toEqual([
      'packages/study/src/kernel/forgotten.ts',
    ]);
  });
});
