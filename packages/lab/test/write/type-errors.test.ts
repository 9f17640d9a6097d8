/** Type errors of the page Write, by the compiler and the declarations that the lab's server sends. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { typeCheckerScript } from '../../src/server/type-checker-script.ts';
import { loadTypeErrors } from './load-type-errors.ts';

const example = (name: string): Promise<string> =>
  readFile(new URL(`../../../../examples/${name}.ts`, import.meta.url), 'utf8');

describe('type errors', () => {
  it('need a TypeScript: without one the script is empty', async () => {
    expect(await typeCheckerScript(null)).toBe('');
  });

  it('are found at their lines, and name what an algorithm must assume', async () => {
    const errorsOf = await loadTypeErrors();
    const right = await example('my-election');
    const wrong = (from: string, to: string): ReturnType<typeof errorsOf> => {
      expect(right).toContain(from);
      return errorsOf(right.replace(from, to));
    };
    const lineOf = (text: string): number => right.slice(0, right.indexOf(text)).split('\n').length;

    expect(errorsOf(right)).toEqual([]);
    expect(errorsOf(await example('my-first-election'))).toEqual([]);
    expect(wrong("ctx.decide('leader')", 'ctx.decide(ctx.n)')).toEqual([
      {
        line: lineOf("ctx.decide('leader')"),
        text: "Property 'n' does not exist on type 'Context': `assumes` needs knows: ['n']",
      },
    ]);
    expect(wrong("ctx.send(NEXT, 'token', ctx.id)", "ctx.send(NEXT, 'tokn', ctx.id)")).toEqual([
      {
        line: lineOf("ctx.send(NEXT, 'token', ctx.id)"),
        text: `Argument of type '"tokn"' is not assignable to parameter of type '"token" | "elected"'`,
      },
    ]);
    // The library of the language, without a browser's; a worker's console.
    expect(errorsOf('[3, 1].toSorted().at(-1); console.log(new Map());')).toEqual([]);
    expect(errorsOf('document.title;')).toMatchObject([
      { line: 1, text: expect.stringMatching(/Cannot find name 'document'/) },
    ]);
    expect(errorsOf("import { nothing } from '@hustings/study/kernel';\nimport 'node:fs';")).toMatchObject([
      { line: 1, text: expect.stringMatching(/no exported member 'nothing'/) },
      { line: 2 },
    ]);
  });
});
