import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_DOORS } from '../../../../../scripts/sources.mjs';
import { commandProcess, type Ended, hustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import * as front from '../../../../hustings/src/index.ts';
import { allDoors, Bundle } from '../../../src/cli/user-file/algorithm-bundle.ts';

/** A right algorithm; `onToken` is a line at the head of its handler, the 20th of the file. */
function source(onToken = ''): string {
  return `import { announcement, defineAlgorithm, id, message } from '@hustings/study/kernel';

const NEXT: number = 1;

export const mine = defineAlgorithm({
  name: 'mine',
  title: 'Mine',
  source: 'a test',
  cost: 'n',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  state: {},
  messages: { token: message(['id', id()]), elected: announcement(['id', id()]) },
  laws: [{ measure: 'announcement', kind: 'exact', formula: 'n', value: ({ n }) => n }],
  onStart(_state, ctx) {
    ctx.send(NEXT, 'token', ctx.id);
  },
  on: {
    token(_state, _port, { id }, ctx) {
      ${onToken}
      if (id === ctx.id) {
        ctx.decide('leader');
        ctx.send(NEXT, 'elected', id);
      } else if (id > ctx.id || !ctx.initiator) ctx.forward(NEXT);
    },
    elected(_state, _port, { id }, ctx) {
      if (id === ctx.id) return;
      ctx.decide('follower', id);
      ctx.forward(NEXT);
    },
  },
});
`;
}

const folder = temporaryFolder();
/** A folder without node_modules and package.json. */
function write(path: string, text: string): string {
  mkdirSync(dirname(join(folder.path, path)), { recursive: true });
  writeFileSync(join(folder.path, path), text);
  return path;
}

function run(words: string, env: NodeJS.ProcessEnv = {}): Ended {
  return hustings(words.split(' '), folder.path, env);
}

const commands = commandProcess();
/** In the process of the other commands: for files that are refused before anything runs. */
function runTogether(words: string): Promise<Ended> {
  return commands(words.split(' '), folder.path);
}

describe('a file that exports an algorithm is accepted instead of a name', () => {
  beforeAll(() => {
    write('mine.ts', source());
  });

  it('by simulate, with its laws', () => {
    const { status, stdout, stderr } = run('simulate ./mine.ts --ids 2,3,1');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('id 3 leads at position 1; all 3 nodes know it');
    expect(stdout).toMatch(/announcement messages +3 +n = 3/);
  });

  it('by check', () => {
    const { status, stdout } = run('check mine.ts --nodes 4 --orders all --initiators subsets');
    expect(status).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain('Complete: no schedule violates a property');
  });

  it('by algorithms', () => {
    expect(run('algorithms mine.ts').stdout).toContain('hustings simulate mine.ts --nodes 16');
  });

  it('with its own modules, default exports, and any entry point of the package', () => {
    write('parts/ports.ts', 'export const NEXT: number = 1;\nexport type Ignored = string;\n');
    const text = source()
      .replace('const NEXT: number = 1;', "import { NEXT, type Ignored } from './parts/ports.ts';")
      .replace(/^/, "import { createElector } from 'hustings';\nexport const unused = createElector;\n")
      .replace('export const mine =', 'export const other = { on: 1, messages: {} };\nexport default');
    write('whole.mts', text);
    expect(run('simulate whole.mts --nodes 5').status).toBe(0);
  });

  it('written in JavaScript', () => {
    write('mine.mjs', source().replace(': number', ''));
    expect(run('simulate ./mine.mjs --nodes 5').status).toBe(0);
  });

  it('and leaves no file behind', () => {
    const temporary = join(folder.path, 'mine-temporary');
    mkdirSync(temporary);
    expect(run('simulate ./mine.ts --nodes 3', { TMPDIR: temporary }).status).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(folder.path).filter((name) => !/^(mine|whole|parts)/.test(name))).toEqual([]);
  });
});

describe('the doors of a user’s file', () => {
  it('are those of the packages, with the same exports', async () => {
    const doors = allDoors();
    expect(Object.keys(doors).sort()).toEqual(PUBLIC_DOORS.map(({ specifier }) => specifier).sort());
    expect(Object.keys(await doors.hustings()).sort()).toEqual(Object.keys(front).sort());
  });

  it('are loaded if the file imports them, also through another file, and not otherwise', async () => {
    write('doors/one.ts', `export * from './two.ts'; import type { LeaseStore } from 'hustings/lease';`);
    write('doors/two.ts', source());
    const all = Object.keys(allDoors()).sort();
    write('doors/all.ts', all.map((door, i) => `export * as door${i} from '${door}';`).join('\n'));
    const doorsOf = async (path: string) => {
      const bundle = await Bundle.of(join(folder.path, path));
      return Object.keys(await bundle.doors()).sort();
    };
    expect(await doorsOf('doors/one.ts')).toEqual(['@hustings/study/kernel']);
    expect(await doorsOf('doors/all.ts')).toEqual(all);
  });

  it('that imports the kernel alone load no code of leases, clusters, claims or the lab', () => {
    write('doors/mine.ts', source());
    write(
      'doors/hook.mjs',
      `import { writeSync } from 'node:fs';
      export function load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); }`,
    );
    write(
      'doors/register.mjs',
      `import { register } from 'node:module'; register('./hook.mjs', import.meta.url);`,
    );
    const { stderr } = run('simulate ./doors/mine.ts', {
      NODE_OPTIONS: `--import=${join(folder.path, 'doors/register.mjs')}`,
    });
    const loaded = stderr.split('\n').flatMap((url) => url.split('/dist/')[1] ?? []);
    expect(loaded).toContain('kernel/index.js');
    expect(
      loaded.filter((path) => /^(lease|elector|shards|cluster|queue|reproduce|lab)\//.test(path)),
    ).toEqual([]);
  });
});

describe('the error of a file is one line with the place', () => {
  it.each([
    ['a syntax error', source('if (id ===) return;'), 'mine.ts:20:17: Unexpected ")"'],
    ['an import that throws', `${source()}throw new Error('not today');\n`, 'mine.ts:33:7: not today'],
    [
      'a name that the package has not',
      source().replaceAll('announcement', 'anouncement'),
      'mine.ts:1:10: No matching export in "the package:@hustings/study/kernel" for import "anouncement"',
    ],
    [
      'a door that the package has not',
      source().replace("'@hustings/study/kernel'", "'hustings/none'"),
      /^hustings: mine\.ts:1:60: 'hustings\/none' must be one of @hustings\/study\/kernel, /,
    ],
    [
      'a module that is not there',
      `import './none.ts';\n${source()}`,
      'mine.ts:1:8: Could not resolve "./none.ts"',
    ],
    [
      'no algorithm',
      'export const x = 1;\n',
      'mine.ts must export an algorithm, not x: write export const name = defineAlgorithm({ … })',
    ],
    [
      'two algorithms',
      `${source()}export const second = { ...mine };\n`,
      'mine.ts must export one algorithm, not 2 (mine, second): export one of them as default',
    ],
    [
      'a message without a handler',
      source().replace("message(['id', id()]),", "message(['id', id()]), lost: message(),"),
      "mine.ts:5:21: algorithm mine: message 'lost' must have a handler: write on.lost",
    ],
    [
      'no state',
      source().replace('  state: {},\n', ''),
      'mine.ts:5:21: algorithm mine: state must be declared: write state: {} if there are none',
    ],
  ])('%s', async (_, text, expected) => {
    write('mine.ts', text);
    const { status, stdout, stderr } = await runTogether('simulate mine.ts');
    expect(stdout).toBe('');
    if (typeof expected === 'string') expect(stderr).toBe(`hustings: ${expected}\n`);
    else expect(stderr).toMatch(expected);
    expect(status).toBe(2);
  });

  it.each(['check', 'algorithms'])('by %s too', async (verb) => {
    write('mine.ts', source('if (id ===) return;'));
    expect(await runTogether(`${verb} mine.ts`)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'hustings: mine.ts:20:17: Unexpected ")"\n',
    });
  });

  it.each([
    ['./none.ts', '(no such file or directory): correct the path'],
    ['.', '(it is a directory): name the file in it'],
    ['./notes.txt', '(its name has another ending): use .ts, .mts, .js, .mjs'],
  ])('%s', async (path, expected) => {
    write('notes.txt', '');
    const { status, stderr } = await runTogether(`simulate ${path}`);
    expect(stderr).toBe(`hustings: '${path}' must be a file that exports an algorithm ${expected}\n`);
    expect(status).toBe(2);
  });

  it.each([
    ['a limit', 'state: {}', 'state: { seen: counter(() => most) }', 'the limit of seen', 'simulate mine.ts'],
    [
      'a limit in a message',
      "message(['id', id()])",
      "message(['id', id()], ['hops', counter(() => most)])",
      'the limit of hops',
      'check mine.ts --nodes 2',
    ],
    [
      'an invariant',
      'state: {},',
      "state: {}, invariants: { node: { fine: { statement: 'fine', holds: () => most } } },",
      'invariant fine',
      'check mine.ts --nodes 2',
    ],
    [
      'what pictures show',
      'state: {},',
      'state: {}, phase: () => most,',
      'phase',
      'simulate mine.ts --nodes 3 --svg mine.svg',
    ],
  ])('%s that throws, with its place', async (_, from, to, what, command) => {
    write('mine.ts', source().replace('id, message', 'counter, id, message').replace(from, to));
    const { status, stderr } = await runTogether(command);
    expect(stderr).toMatch(
      new RegExp(
        `^hustings: algorithm mine: ${what} failed: most is not defined \\(mine\\.ts:1[23]:\\d+\\)\n$`,
      ),
    );
    expect(status).toBe(2);
  });

  it('a law that throws, with its formula', async () => {
    write('mine.ts', source().replace('({ n }) => n', '({ n }) => n.count.of'));
    const { status, stderr } = await runTogether('simulate mine.ts --nodes 3');
    expect(stderr).toMatch(/^hustings: algorithm mine: law n failed: .* \(mine\.ts:14:92\)\n$/);
    expect(status).toBe(2);
  });
});

describe('a handler that throws', () => {
  beforeAll(() => {
    write('mine.ts', source("if (id === 3) throw new TypeError('no threes');"));
  });

  it('gives an error with the line of the source, and a replay command with its path', () => {
    const { status, stderr } = run('simulate ./mine.ts --ids 2,3,1');
    expect(stderr).toBe(
      'hustings: mine failed at node 2 (id 1) at time 1, on message <token id=3>: ' +
        'no threes (mine.ts:20:27); replay: hustings simulate ./mine.ts --ids 2,3,1 --seed 1 --trace\n',
    );
    expect(status).toBe(1);
    const replay = /replay: hustings (.*)/.exec(stderr)?.[1] ?? '';
    expect(run(replay).stderr).toContain('no threes (mine.ts:20:27)');
  });

  it('is a counterexample that names the file, and is reproduced until the line is fixed', () => {
    const found = run('check ./mine.ts --ids 2,3,1 --save found.json');
    expect(found.stdout).toContain('✗ a handler failed: node 2: no threes (mine.ts:20:27)');
    expect(found.status).toBe(1);
    const saved = JSON.parse(readFileSync(join(folder.path, 'found.json'), 'utf8'));
    expect(saved.algorithm).toBe('./mine.ts');
    expect(run('replay found.json').status).toBe(1);
    write('mine.ts', source());
    const corrected = run('replay found.json');
    expect(corrected.stdout).toContain('not reproduced');
    expect(corrected.status).toBe(0);
  });

  it('gives an error with its line if the package refuses an effect', () => {
    write('mine.ts', source('ctx.send(7, "token", id);'));
    expect(run('simulate mine.ts --nodes 3').stderr).toContain('(mine.ts:20:11)');
  });
});

describe('a handler that never returns', () => {
  const short = { HUSTINGS_HANDLER_TIMEOUT_MS: '300' };

  it('is stopped in a search and in a replay, as in a run', () => {
    write('mine.ts', source("if (id === 3) throw new Error('here');"));
    run('check ./mine.ts --ids 2,3,1 --save endless.json');
    write('mine.ts', source('while (id === 3);'));
    for (const words of ['check ./mine.ts --ids 2,3,1', 'replay endless.json']) {
      const { status, stderr } = run(words, short);
      expect(stderr).toBe('hustings: mine: on.token has not returned after 0.3 s\n');
      expect(status).toBe(1);
    }
  });
});

describe('--help', () => {
  it.each(['simulate', 'sweep', 'check', 'replay'])(
    'of %s says that a file is code that runs',
    async (verb) => {
      expect((await runTogether(`${verb} --help`)).stdout.replace(/\s+/g, ' ')).toContain(
        'run only files that you trust',
      );
    },
  );
});
