import { describe, expect, it } from 'vitest';
import { PUBLIC_DOORS } from '../../../scripts/sources.mjs';
import { readSources } from '../source-file.ts';
import { ambiguous, Exports } from './doors.ts';

const exports = new Exports(readSources());

describe('the doors of the packages', () => {
  it('give each name one meaning', () => {
    const all = PUBLIC_DOORS.flatMap(({ source }) => [...exports.of(source)]);
    expect(all.length).toBeGreaterThan(200);
    expect(ambiguous(all)).toEqual([]);
  });

  it('are documented: a comment stands before every export', () => {
    const undocumented = PUBLIC_DOORS.flatMap(({ specifier, source }) =>
      [...exports.of(source).values()]
        .filter(({ isDocumented }) => !isDocumented)
        .map(({ name, path, line }) => `${specifier}: ${name} (${path}:${line})`),
    );
    expect(undocumented).toEqual([]);
  });
});

it('no two types of src that are exported share a name', () => {
  const types = exports.all().filter(({ isType }) => isType);
  expect(ambiguous(types.map((each) => [each.name, each]))).toEqual([]);
});

describe('the reader of exports', () => {
  const read = (files: Readonly<Record<string, string>>) =>
    new Exports(Object.entries(files).map(([path, text]) => ({ path, text })));

  it('follows stars, lists and other names to the declaration', () => {
    const found = read({
      'src/index.ts':
        "import { d } from './a/c.ts';\nexport * from './a/b.ts';\nexport { type C } from './a/c.ts';\nexport { d as e };\n",
      'src/a/b.ts':
        'const hidden = 1;\n/** Doc. */\nexport function b(): void {}\nexport { local };\nclass local {}\n',
      'src/a/c.ts': '// no doc\nexport interface C {}\nexport const d = 1, f = "export const g";\n',
    }).of('src/index.ts');
    expect([...found].map(([as, { name, path, line }]) => `${as} ${name} ${path}:${line}`)).toEqual([
      'b b src/a/b.ts:3',
      'local local src/a/b.ts:5',
      'C C src/a/c.ts:2',
      'e d src/a/c.ts:3',
    ]);
    expect([...found.values()].map(({ isDocumented }) => isDocumented)).toEqual([true, false, false, false]);
  });

  it('finds a name with two meanings, and takes one declaration behind two doors for one', () => {
    const twice = read({
      'src/a.ts': "export interface A {}\nexport * from './b.ts';\n",
      'src/b.ts': 'export type B = 1;\n',
      'src/c.ts': "export type A = 2;\nexport { B } from './b.ts';\n",
    });
    expect(ambiguous([...twice.of('src/a.ts'), ...twice.of('src/c.ts')])).toEqual([
      'A: src/a.ts:1, src/c.ts:1',
    ]);
  });
});
