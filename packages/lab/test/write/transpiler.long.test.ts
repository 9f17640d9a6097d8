/** The page has a part of the transpiler only (vite.config.ts). */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { registry } from '../../../study/src/algorithms/index.ts';
import { compile } from '../../src/page/write/code/compile.ts';
import { forkOf, sourcePath } from '../../src/page/write/code/fork.ts';

const ROOT = new URL('../../../../', import.meta.url);
const FOLDER = new URL('packages/study/src/algorithms/', ROOT);
const PATHS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
const path = (name: string): string => fileURLToPath(new URL(name, ROOT));

const REFUSED = ['const = 1;', 'let x: <;', 'class {', "import 'node:fs';", '<a>b</a>', 'type A = ;'];
const UNUSUAL = `
enum Phase { Asleep, Awake = 3 }
abstract class A<T> { declare x: T; private readonly y?: number; constructor(protected z: string) {} }
export function f<const T extends readonly string[]>(this: void, a?: T, ...rest: unknown[]): asserts a is T {}
const g = async <T,>(x: T): Promise<T | undefined> => x as T satisfies T;
export type { B } from '@hustings/study/kernel';
export default (<unknown>g)!;
`;

it('the transpiler of the page compiles and refuses as the whole one', async () => {
  const built = await build({
    configFile: path('vite.config.ts'),
    root: path('packages/lab/src/page'),
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: path('packages/lab/src/page/write/code/compile.ts'), formats: ['es'] },
    },
  });
  const [bundle] = Array.isArray(built) ? built : [built];
  if (!('output' in bundle)) throw new Error('vite must return a bundle');
  const { code } = bundle.output[0];
  expect(code.includes('Unterminated JSX contents')).toBe(false);
  const part: { compile: typeof compile } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const read = async (name: string): Promise<string> => readFileSync(new URL(name, FOLDER), 'utf8');
  const forks = await Promise.all(registry.map(({ name }) => forkOf(sourcePath(name, PATHS), read)));
  for (const text of [...forks, UNUSUAL, ...REFUSED]) expect(part.compile(text)).toEqual(compile(text));
  expect(compile(UNUSUAL).type).toBe('compiled');
});
