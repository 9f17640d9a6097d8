import { describe, expect, it } from 'vitest';
import { PURE } from './arrows.ts';
import { impurities } from './purity.ts';
import { readSources } from './source-file.ts';

const inKernel = (text: string): string[] => impurities([{ path: 'packages/study/src/kernel/x.ts', text }]);

describe(PURE.join(', '), () => {
  it('use no clock, random number generator, process or network', () => {
    expect(impurities(readSources())).toEqual([]);
  });
});

describe('the search for impure code', () => {
  it.each([
    'const t = Date.now();',
    'const t = new Date();',
    'const r = Math.random();',
    'const { random } = Math;',
    'performance.now();',
    'setTimeout(f, 1);',
    'const later = setInterval;',
    'setImmediate(f);',
    'queueMicrotask(f);',
    'process.exit();',
    'globalThis.x = 1;',
    'crypto.randomUUID();',
    "require('fs');",
    "await import('fs');",
    "eval('1');",
    "new Function('return 1');",
    "fetch('x');",
    'const text = `at ${Date.now()}`;',
  ])('finds %s', (text) =>
    expect(inKernel(`let a;\n${text}`)).toEqual([
      expect.stringMatching(/^packages\/study\/src\/kernel\/x\.ts:2 /),
    ]),
  );

  it.each([
    '// Date.now()',
    "const a = 'Math.random()';",
    'queue.fetch(1);',
    'const a = `new Date`;',
    'Math.max(1, 2);',
  ])('lets pass %s', (text) => expect(inKernel(text)).toEqual([]));

  it('allows the command line its clock', () => {
    expect(impurities([{ path: 'packages/hustings/src/cli/x.ts', text: 'Date.now()' }])).toEqual([]);
  });
});
