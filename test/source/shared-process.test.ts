import { describe, expect, it } from 'vitest';
import { leftovers } from './shared-process.ts';
import { readFiles } from './source-file.ts';

describe('the tests that share processes', () => {
  it('leave nothing for the next one: no environment, handler, global, timer, module or process', () => {
    expect(leftovers(readFiles('test'))).toEqual([]);
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
    "spawn('true');",
    'buildBefore();',
  ])('finds %s', (text) => {
    expect(leftovers([{ path: 'test/kernel/x.test.ts', text: `let a;\n${text}` }])).toEqual([
      expect.stringMatching(/^test\/kernel\/x\.test\.ts:2 has /),
    ]);
  });

  it.each([
    "const long = process.env.HUSTINGS_LONG === '1';",
    '// vi.useFakeTimers()',
    'pattern.exec(text);',
  ])('lets pass %s', (text) => expect(leftovers([{ path: 'test/kernel/x.test.ts', text }])).toEqual([]));

  it('finds a hook in a file that several test files of a process import', () => {
    const text = 'afterEach(() => close());';
    expect(leftovers([{ path: 'test/readme/x.ts', text }])).toEqual([
      'test/readme/x.ts:1 has a hook of one test file',
    ]);
    expect(leftovers([{ path: 'test/readme/x.test.ts', text }])).toEqual([]);
  });

  it('allows commands where tests run them, and no other change', () => {
    const path = 'test/cli/commands/x.test.ts';
    expect(leftovers([{ path, text: "buildBefore();\nspawn('true');" }])).toEqual([]);
    expect(leftovers([{ path, text: "process.chdir('/');" }])).toEqual([
      `${path}:1 has a change of the process`,
    ]);
  });

  it('allows all of them where each file has its own process', () => {
    const text = "spawn('true');\nprocess.chdir('/');";
    expect(leftovers([{ path: 'test/cli/x.test.ts', text }])).toEqual([]);
  });
});
