import { describe, expect, it } from 'vitest';
import { filesAlone, outliving } from './shared-process.ts';

describe('the search for what outlives a test file', () => {
  it.each([
    "process.env.HUSTINGS_SEED = '1';",
    "vi.stubEnv('A', 'b');",
    "process.on('exit', f);",
    "process.chdir('/');",
    'globalThis.fetch = f;',
    'vi.useFakeTimers();',
    "vi.mock('./x.ts');",
  ])('finds %s', (text) => {
    expect(outliving({ path: 'packages/study/test/kernel/x.test.ts', text: `let a;\n${text}` })).toEqual([
      expect.stringMatching(/^packages\/study\/test\/kernel\/x\.test\.ts:2 has /),
    ]);
  });

  it.each([
    "const long = process.env.HUSTINGS_LONG === '1';",
    '// vi.useFakeTimers()',
    'pattern.exec(text);',
  ])('lets pass %s', (text) =>
    expect(outliving({ path: 'packages/study/test/kernel/x.test.ts', text })).toEqual([]),
  );

  it('gives a process to each test file that has it', () => {
    const text = "vi.stubEnv('A', 'b');";
    const files = ['test/a.test.ts', 'test/b.ts'].map((path) => ({ path, text }));
    expect(filesAlone([...files, { path: 'test/c.test.ts', text: '' }])).toEqual(['test/a.test.ts']);
  });
});
