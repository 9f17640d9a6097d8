/**
 * Mutants of an algorithm, made from its source: one statement dropped or one operator changed, in a handler or in a
 * function that a handler calls. The algorithm is bundled once; a mutant is compiled from the changed text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import { ROOT } from '../../../../test/source/source-file.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import * as kernel from '../../src/kernel/index.ts';

/** One change: the text between `from` and `to` is replaced. */
export interface Mutation {
  readonly from: number;
  readonly to: number;
  readonly by: string;
  /** The line before and after. */
  readonly text: string;
}

export interface MutableSource {
  readonly name: string;
  readonly code: string;
  readonly mutations: readonly Mutation[];
}

const FOLDER = join(ROOT, 'packages/study/src/algorithms');

/**
 * Only the kernel is not part of the bundle: it is the one that the tests run. `line` is a text that occurs once in the file
 * of the algorithm, and what a mutant has instead.
 */
export async function sourceOf(
  { name }: AnyAlgorithm,
  line?: readonly [right: string, wrong: string],
): Promise<MutableSource> {
  const file = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).find(
    (path) => path.endsWith(`/${name}.ts`) && !path.startsWith('broken'),
  );
  if (file === undefined) throw new RangeError(`there is no file ${name}.ts in ${FOLDER}`);
  const path = join(FOLDER, file);
  const right = readFileSync(path, 'utf8');
  if (line !== undefined && right.split(line[0]).length !== 2)
    throw new RangeError(`${line[0]} must occur once in ${file}`);
  const { outputFiles } = await build({
    stdin: {
      contents: line === undefined ? right : right.replace(line[0], () => line[1]),
      resolveDir: dirname(path),
      loader: 'ts',
    },
    ...{ bundle: true, format: 'cjs', write: false, charset: 'utf8' },
    plugins: [
      {
        name: 'kernel',
        setup: ({ onResolve }) =>
          onResolve({ filter: /kernel\/index\.ts$/ }, () => ({ path: 'kernel', external: true })),
      },
    ],
  });
  const code = outputFiles[0].text;
  return { name, code, mutations: mutationsOf(code) };
}

/** Operators and what they become. A loop may leave out its first turn: a message to one neighbour is not sent. */
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/Math\.max/g, 'Math.min'],
  [/ \+ 1\b/g, ''],
  [/ - 1\b/g, ''],
  [/(?<=[(, ])!(?=\w)/g, ''],
  [/(?<=for \(let \w+ = )0(?=;)/g, '1'],
];

/**
 * A statement that fills its line, and has an effect on the state or through the context. In the bundle a name
 * may end with a number.
 */
const STATEMENT = /(?<=^\s*)(?:(?:ctx|state)\d*\.[^{}]+|\w+\([^{}]*\b(?:state|ctx)\d*\b[^{}]*\));$/;

function mutationsOf(code: string): Mutation[] {
  const mutations: Mutation[] = [];
  let start = 0;
  for (const line of code.split('\n')) {
    const isInvariant = /\bholds:|\bnodes\b|\bbefore\./.test(line);
    if (/\b(?:state|ctx)\d*\b/.test(line) && !isInvariant && !/\bfunction\b/.test(line)) {
      const add = (at: number, length: number, by: string) => {
        const changed = line.slice(0, at) + by + line.slice(at + length);
        const text = `${line.trim()}  →  ${changed.trim()}`;
        mutations.push({ from: start + at, to: start + at + length, by, text });
      };
      const statement = STATEMENT.exec(line);
      if (statement !== null) add(statement.index, statement[0].length, ';');
      for (const [operator, by] of OPERATORS) {
        for (const { 0: found, index } of line.matchAll(operator)) add(index, found.length, by);
      }
    }
    start += line.length + 1;
  }
  return mutations;
}

/** More turns of the loops of one handler are an endless loop. */
const MAX_TURNS = 10_000;

/** An algorithm with one changed line. */
export async function planted(
  algorithm: AnyAlgorithm,
  line: readonly [right: string, wrong: string],
): Promise<AnyAlgorithm> {
  return compile(await sourceOf(algorithm, line), null);
}

/** The algorithm with this change, or as it is. It has no invariants and laws: those of the source hold only for it. */
export function compile({ name, code }: MutableSource, mutation: Mutation | null): AnyAlgorithm {
  const changed =
    mutation === null ? code : code.slice(0, mutation.from) + mutation.by + code.slice(mutation.to);
  const guarded = changed
    .replaceAll('while (', 'while (turn(), ')
    .replaceAll(/\bfor \((?:const|let) [^;\n]*; |\bfor \(; /g, (head) => `${head}turn(), `);
  let turns = 0;
  const turn = () => {
    if (++turns > MAX_TURNS) throw new RangeError('an endless loop in a handler');
  };
  const module = { exports: {} as Readonly<Record<string, AnyAlgorithm>> };
  compileFunction(guarded, ['module', 'require', 'turn'])(module, () => kernel, turn);
  const found = Object.values(module.exports).find((each) => each?.name === name);
  if (found === undefined) throw new RangeError(`the file ${name}.ts must export the algorithm ${name}`);
  // biome-ignore lint/suspicious/noExplicitAny: a handler of any kind
  const limited = (handler: any) =>
    handler &&
    function (this: unknown, ...args: unknown[]) {
      turns = 0;
      return handler.apply(this, args);
    };
  const { invariants: _invariants, onRestart, onStart, onTimer, onUndelivered, ...rest } = found;
  const handlers = { onRestart, onStart, onTimer, onUndelivered };
  const given = Object.entries(handlers).filter(([, handler]) => handler !== undefined);
  return {
    ...rest,
    ...Object.fromEntries(given.map(([key, handler]) => [key, limited(handler)])),
    on: Object.fromEntries(Object.entries(rest.on).map(([type, handler]) => [type, limited(handler)])),
    laws: [],
  } as unknown as AnyAlgorithm;
}
