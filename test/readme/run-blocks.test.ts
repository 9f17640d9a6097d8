import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { effort } from '../../test-kit/limits/effort.ts';
import { ROOT } from '../source/source-file.ts';
import { type Block, parseBlocks } from './blocks.ts';
import {
  checkScripts,
  createSandbox,
  runBlock,
  type Sandbox,
  treatNpm,
  withTypeScript,
} from './run-blocks.ts';

const block = (language: string, code: string, notRun?: string): Block => ({
  language,
  code,
  line: 1,
  notRun,
});

describe('running the blocks of a document', () => {
  let place: Sandbox;
  beforeAll(() => {
    place = createSandbox(ROOT);
  });
  afterAll(() => {
    place.remove();
    expect(existsSync(place.folder)).toBe(false);
  });

  it('passes if every line exits as documented', async () => {
    const outcome = await runBlock(block('sh', 'echo one > file.txt\ncat file.txt\nfalse # exits 1'), place);
    expect(outcome).toEqual({ status: 'passed', detail: expect.stringContaining('one') });
    expect(readFileSync(join(place.folder, 'file.txt'), 'utf8')).toBe('one\n');
  });

  it('fails at the first line that does not, and shows its output', async () => {
    const outcome = await runBlock(block('sh', 'echo why >&2; exit 3\necho never'), place);
    expect(outcome).toEqual({
      status: 'failed',
      detail: 'echo why >&2; exit 3\nended with 3, not 0:\nwhy\n',
    });
  });

  it('fails if a line that should fail does not', async () => {
    expect(await runBlock(block('sh', 'true # exits 1'), place)).toMatchObject({ status: 'failed' });
  });

  it('stops a command that does not end', async () => {
    const outcome = await runBlock(block('sh', 'sleep 60'), place, 200);
    expect(outcome).toEqual({ status: 'failed', detail: expect.stringContaining('no end within 200 ms') });
  });

  it('skips a block with a reason, and requires the reason', async () => {
    const [skipped] = parseBlocks('<!-- not run: needs a network -->\n```sh\nexit 1\n```');
    expect(await runBlock(skipped, place)).toEqual({ status: 'skipped', detail: 'needs a network' });
    expect(await runBlock(block('sh', 'exit 1', ''), place)).toMatchObject({ status: 'failed' });
  });

  it('has the commands hustings and npx hustings, and no other npx', async () => {
    const where = await runBlock(block('sh', 'command -v hustings\ncommand -v npx'), place);
    expect(where.detail.split('\n').filter((line) => /hustings-readme-/.test(line))).toHaveLength(2);
    expect(await runBlock(block('sh', 'npx cowsay hello'), place)).toMatchObject({ status: 'failed' });
  });

  it('marks its commands, so that the tests are not started recursively', async () => {
    expect(await runBlock(block('sh', 'echo "run: $HUSTINGS_README_RUN"'), place)).toMatchObject({
      detail: 'run: 1\n',
    });
    const again = await runBlock(block('sh', `node "${join(ROOT, 'scripts/test.mjs')}"`), place);
    expect(again).toEqual({ status: 'failed', detail: expect.stringContaining('from within the tests') });
  });

  it('compiles and runs TypeScript, and keeps a file that its first line names', async () => {
    const good = block('ts', "// my-file.ts\nconst x: number = 7;\nconsole.log('x is', x);");
    expect(await runBlock(good, place)).toEqual({ status: 'passed', detail: 'x is 7\n' });
    expect(existsSync(join(place.folder, 'my-file.ts'))).toBe(true);
  });

  it('compiles the scripts of several documents at once, and blames the one that is wrong', async () => {
    const [right, wrong, imports] = [
      block('ts', '// right.ts\nexport const x: number = 7;\nconsole.log(x);'),
      block('ts', '// wrong.ts\nconst x: number = "seven";\nconsole.log(x);'),
      block('ts', "// imports.ts\nimport { x } from './right.ts';\nconst y: string = x;\nconsole.log(y);"),
    ];
    const other = createSandbox(ROOT);
    try {
      checkScripts([
        [place, [right, imports]],
        [other, [wrong]],
      ]);
      expect([...place.checked.keys(), ...other.checked.keys()]).toEqual([
        'right.ts',
        'imports.ts',
        'wrong.ts',
      ]);
      expect(await runBlock(right, place)).toEqual({ status: 'passed', detail: '7\n' });
      for (const outcome of [await runBlock(imports, place), await runBlock(wrong, other)]) {
        expect(outcome).toEqual({
          status: 'failed',
          detail: expect.stringMatching(/does not compile:\n.*TS2322/),
        });
      }
      // Another text than the one that was compiled is compiled again.
      const changed = block('ts', '// right.ts\nconst x: number = "eight";\nconsole.log(x);');
      expect(await runBlock(changed, place)).toMatchObject({ status: 'failed' });
    } finally {
      other.remove();
    }
  });

  it('fails on a type error, and on an error at run time', async () => {
    const wrongType = await runBlock(block('ts', 'const x: number = "seven";\nconsole.log(x);'), place);
    expect(wrongType).toEqual({ status: 'failed', detail: expect.stringContaining('TS2322') });
    const thrown = await runBlock(block('js', "throw new Error('no leader');"), place);
    expect(thrown).toEqual({ status: 'failed', detail: expect.stringContaining('no leader') });
  });
});

describe('a line with TypeScript', () => {
  it('is run by this Node, or by hustings run if this Node runs none', () => {
    const typescript = Boolean((process.features as { typescript?: unknown }).typescript);
    const run = typescript ? 'node' : 'hustings run';
    expect(withTypeScript('node a.ts')).toBe(`${run} a.ts`);
    expect(withTypeScript('REPLICA=a node a.ts & REPLICA=b node a.ts')).toBe(
      `REPLICA=a ${run} a.ts & REPLICA=b ${run} a.ts`,
    );
    for (const text of ['node a.js', 'npx hustings lead -- node -e 1', 'npx tsx a.ts'])
      expect(withTypeScript(text)).toBe(text);
  });

  it('is run by npx tsx too, with a file of settings', async () => {
    const place = createSandbox(ROOT);
    try {
      await runBlock(block('ts', '// typed.ts\nconst x: number = 7;\nconsole.log(x);'), place);
      const lines = 'npx tsx typed.ts\nnpx tsx --tsconfig tsconfig.json typed.ts\nnode typed.ts';
      expect(await runBlock(block('sh', lines), place)).toEqual({
        status: 'passed',
        detail: '7\n\n7\n\n7\n',
      });
    } finally {
      place.remove();
    }
  });
});

describe('a line with npm', () => {
  it('does not run the tests again', () => {
    for (const text of ['npm test', 'npm t', 'npm test -- packages/study/test/kernel', 'npm run test:long']) {
      expect(treatNpm(text)).toEqual({ skip: expect.stringContaining('these are the tests') });
    }
  });

  it('does not install, publish or rewrite anything', () => {
    expect(treatNpm('npm install hustings')).toEqual({ refuse: expect.stringContaining('not run: REASON') });
    expect(treatNpm('npm publish')).toHaveProperty('refuse');
    expect(treatNpm('npm run format')).toHaveProperty('skip');
  });

  it('does not repeat what npm test runs first', () => {
    for (const text of ['npm run lint', 'npm run typecheck']) expect(treatNpm(text)).toHaveProperty('skip');
  });

  it('runs benchmarks in quick mode, and that of the simulator for one algorithm unless the tests are long', () => {
    const few = effort({ quick: ' --only bully', full: '' });
    expect(treatNpm('npm run bench')).toEqual({ run: `npm run bench -- --quick${few}` });
    expect(treatNpm('npm run bench -- ring')).toEqual({ run: `npm run bench -- ring --quick${few}` });
    expect(treatNpm('npm run bench:check')).toEqual({ run: 'npm run bench:check -- --quick' });
  });

  it('waits until npm start prints something', () => {
    expect(treatNpm('npm start')).toEqual({ run: 'npm start', untilLine: true });
  });

  it('leaves every other command alone', () => expect(treatNpm('hustings algorithms')).toBeUndefined());
});
