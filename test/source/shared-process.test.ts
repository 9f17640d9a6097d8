import { describe, expect, it } from 'vitest';
import { leftovers } from './shared-process.ts';
import { readTests } from './source-file.ts';

describe('the tests that share processes', () => {
  it('leave nothing for the next one: no environment, handler, global, timer, module or process', () => {
    expect(leftovers(readTests())).toEqual([]);
  });
});

describe('the search for what outlives a test file', () => {
  it.each([
    "process.env.HUSTINGS_SEED = '1';",
    "vi.stubEnv('A', 'b');",
    "process.on('exit', f);",
    "process.chdir('/');",
    'globalThis.fetch = f;',
    'vi.useFakeTimers();',
    "vi.mock('./x.ts');",
    "startProcess('true', []);",
  ])('finds %s', (text) => {
    expect(leftovers([{ path: 'packages/study/test/kernel/x.test.ts', text: `let a;\n${text}` }])).toEqual([
      expect.stringMatching(/^packages\/study\/test\/kernel\/x\.test\.ts:2 has /),
    ]);
  });

  it.each([
    "const long = process.env.HUSTINGS_LONG === '1';",
    '// vi.useFakeTimers()',
    'pattern.exec(text);',
  ])('lets pass %s', (text) =>
    expect(leftovers([{ path: 'packages/study/test/kernel/x.test.ts', text }])).toEqual([]),
  );

  it('allows them where each file has its own process', () => {
    expect(leftovers([{ path: 'test/cli/x.test.ts', text: "startProcess('true', []);" }])).toEqual([]);
  });
});
