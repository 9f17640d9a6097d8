/** What happens to a source text before it runs. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../study/src/algorithms/index.ts';
import { check } from '../../../study/src/checker/index.ts';
import * as kernel from '../../../study/src/kernel/index.ts';
import { simulate } from '../../../study/src/simulator/index.ts';
import { readReply } from '../../src/model/write/own-code.ts';
import { compile, withProbes } from '../../src/page/write/code/compile.ts';
import { forkOf, sourcePath } from '../../src/page/write/code/fork.ts';
import { decodeCode, encodeCode } from '../../src/page/write/code/link-code.ts';

const FOLDER = new URL('../../../study/src/algorithms/', import.meta.url);
const PATHS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
const read = (path: string): Promise<string> => readFile(new URL(path, FOLDER), 'utf8');

/** Runs compiled code as the sandbox does. */
function load(text: string, ranLine: (line: number) => void = () => {}): kernel.AnyAlgorithm {
  const compiled = compile(text);
  if (compiled.type === 'refused') throw new Error(JSON.stringify(compiled.problems));
  const exported: Record<string, kernel.AnyAlgorithm> = {};
  const ownCode = (run: (...given: unknown[]) => void): void => run(exported, () => kernel, ranLine);
  new Function('ownCode', compiled.probed)(ownCode);
  return Object.values(exported)[0];
}

describe('a source text', () => {
  it('keeps its lines when probes are inserted and types are erased', () => {
    const text =
      'export function f(x: number): number {\n  if (x > 1) {\n    return x;\n  }\n  return 2;\n}\n';
    expect(withProbes(text).split('\n')).toHaveLength(text.split('\n').length);
    const compiled = compile(text);
    expect(compiled.type === 'compiled' && compiled.probed.split('\n')[2]).toContain('ranLine(3);return x');
    expect(compiled.type === 'compiled' && compiled.plain).not.toContain('ranLine(3)');
  });

  it('is refused at the line of a syntax error or of a foreign import', () => {
    expect(compile('const a = 1;\nconst = 2;\n')).toMatchObject({ type: 'refused', problems: [{ line: 2 }] });
    expect(compile("\nimport fs from 'node:fs';\n")).toMatchObject({
      type: 'refused',
      problems: [{ line: 2, text: expect.stringContaining("'node:fs' cannot be imported here") }],
    });
  });

  it('survives a link, up to 8 kB', async () => {
    const text = await read('ring/chang-roberts.ts');
    const code = await encodeCode(text);
    expect(code).toMatch(/^[\w-]+$/);
    expect(await decodeCode(code ?? '')).toBe(text);
    const random = new kernel.Random(1, 'a text that cannot be compressed');
    const long = Array.from({ length: 20_000 }, () => String.fromCharCode(33 + random.below(90))).join('');
    expect(await encodeCode(long)).toBeNull();
    expect(await decodeCode('no code')).toBeNull();
  });
});

describe('the frame of the sandbox', () => {
  it('allows its own script by its hash, blobs, and nothing else', async () => {
    const frame = await readFile(new URL('../../src/page/write/sandbox/frame.html', import.meta.url), 'utf8');
    const [, script] = /<script>([\s\S]*)<\/script>/.exec(frame) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(frame) ?? [];
    expect(policy).toBe(`default-src 'none'; script-src 'sha256-${hash}' blob:; worker-src blob:`);
  });
});

describe('a reply of the sandbox', () => {
  it('is read only if it has the shape of one', () => {
    const checked = {
      ...{ type: 'checked', n: 2, states: 9, transitions: 9, ms: 1, kind: 'violated', text: 'a' },
      trail: {
        ...{ property: 'termination', text: 'b', network: 'one-way ring', ids: [2, 1], n: 2 },
        ...{ announcements: [], upkeep: [], steps: [] },
        events: [
          { type: 'send', time: 1, node: 0, to: 1, port: 1, message: { type: 'token', id: 2 } },
          { type: 'start', time: 0, node: 1 },
        ],
      },
    };
    expect(readReply(checked)).toBe(checked);
    const withEvent = (event: object): unknown => ({
      ...checked,
      trail: { ...checked.trail, events: [{ ...checked.trail.events[0], ...event }] },
    });
    const wrong: unknown[] = [
      null,
      'done',
      { type: 'toString' },
      { type: 'done', more: 1 },
      { ...checked, states: -1 },
      { ...checked, kind: 'proved' },
      { ...checked, text: 'x'.repeat(10_000) },
      { ...checked, trail: { ...checked.trail, n: 1e9 } },
      { ...checked, trail: { ...checked.trail, ids: [2] } },
      withEvent({ node: 2 }),
      withEvent({ time: Number.NaN }),
      withEvent({ type: '__proto__' }),
      withEvent({ message: { type: '<script>', id: 1 } }),
      withEvent({ message: { type: 'token', id: { deep: 1 } } }),
    ];
    expect(wrong.map((each) => readReply(each))).toEqual(wrong.map(() => null));
  });
});

describe('a fork', () => {
  for (const algorithm of registry) {
    it(`of ${algorithm.name} is one file, and counts the same`, async () => {
      const text = await forkOf(sourcePath(algorithm.name, PATHS), read);
      expect(text).not.toMatch(/from '\./);
      const fork = load(text);
      expect(fork.name).toBe(algorithm.name);
      // A search of an anonymous network takes long at any size.
      if (algorithm.assumes.ids === 'anonymous') {
        const options = { nodes: 5, seed: 3 };
        expect(simulate(fork, options)).toEqual(simulate(algorithm, options));
        return;
      }
      const options = { nodes: 3, stateLimit: 1000 };
      const { states, transitions, violations } = check(algorithm, options);
      expect(check(fork, options)).toMatchObject({ states, transitions, violations });
    });
  }
});
