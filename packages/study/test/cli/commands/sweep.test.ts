import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../../../test/source/source-file.ts';
import { commandsTogether, hustings, MAIN, temporaryFolder } from '../../../../../test-kit/command.ts';
import { outputOf, runProcess, startProcess } from '../../../../../test-kit/limits/child-process.ts';
import { changRoberts, peterson } from '../../../src/algorithms/index.ts';
import { parseSizes } from '../../../src/cli/flags/sweep-flags.ts';
import { type SweepResult, sweep } from '../../../src/sweep/index.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const words = (line: string): string[] => line.split(' ');
const run = (line: string, env: NodeJS.ProcessEnv = {}) => hustings(words(`sweep ${line}`), folder.path, env);
const readResult = (name: string): SweepResult => JSON.parse(readFileSync(at(name), 'utf8'));

describe('sizes are written', () => {
  it.each([
    ['8', [8]],
    ['32,8,16,8', [8, 16, 32]],
    ['16..128', [16, 32, 64, 128]],
    ['3..20', [3, 6, 12]],
    ['10..40+10', [10, 20, 30, 40]],
    ['1..1000x10', [1, 10, 100, 1000]],
    ['5,8..16,100..120+10', [5, 8, 16, 100, 110, 120]],
  ])('as %s', (text, sizes) => expect(parseSizes(text)).toEqual(sizes));

  it.each([
    '',
    '8,',
    '16..',
    '..8',
    '32..16',
    '8..16+0',
    '8..16x1',
    '0..8',
    '1.5',
    '-4',
    'many',
    '1..99999999999',
  ])("but not as '%s'", (text) => expect(() => parseSizes(text)).toThrow(/--nodes must be/));
});

describe('hustings sweep', () => {
  it('shows for each size the mean beside its law', () => {
    const { status, stdout, stderr } = run('lelann,chang-roberts --nodes 8,16 --runs 20');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^messages: random order, lockstep, 20 runs per point, seed 1\n/);
    expect(stdout).toMatch(/\n16 +20 +272 +0 +272 +272 +272 +k·n \+ n = 272 +✓\n/);
    expect(stdout).toMatch(/\n16 +20 +[\d.]+ +[\d.]+ +\d+ +\d+ +\d+ +≈ n·H_k \+ n = 70.09 on average +[+−]/);
  });

  it('shows the bounds beside a more precise law, and whether they hold', () => {
    const { stdout } = run('chang-roberts --nodes 8,16 --runs 20');
    expect(stdout).toMatch(/\nbound: ≤ nk − k\(k−1\)\/2 \+ n: 44 at n = 8 … 152 at n = 16 {2}✓\n/);
    writeFileSync(
      at('tight.mjs'),
      `import { bound, mean } from '@hustings/study/kernel';
      import { changRoberts } from '@hustings/study/algorithms';
      export default { ...changRoberts, name: 'tight', laws: [
        mean('election', 'n', ({ n }) => n),
        bound('election', '2n', ({ n }) => 2 * n),
        bound('election', '9n', ({ n }) => 9 * n),
      ] };`,
    );
    const broken = run('./tight.mjs --nodes 8,32 --runs 20 --order ascending,descending --measure election');
    // Chang–Roberts sends 2n−1 messages on ascending ids and n(n+1)/2 on descending ones: 36 and 528.
    const bounds = broken.stdout.split('\n').filter((line) => line.startsWith('bound:'));
    expect(bounds).toEqual([
      'bound: ≤ 2n: 16 at n = 8 … 64 at n = 32  ✓',
      'bound: ≤ 9n: 72 at n = 8 … 288 at n = 32  ✓',
      'bound: ≤ 2n: 16 at n = 8 … 64 at n = 32  ✗ in 20 runs at n = 8, ✗ in 20 runs at n = 32',
      'bound: ≤ 9n: 72 at n = 8 … 288 at n = 32  ✗ in 20 runs at n = 32',
    ]);
  });

  it('makes one series for each value of a parameter, named in table, plot and CSV', () => {
    const { stdout, stderr } = run(
      'chang-roberts,peterson --set extremum=max,min --set filter=true --nodes 4,8 --runs 5 --csv set.csv --svg set.svg',
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^messages: random order, lockstep, filter = true, 5 runs/);
    for (const title of ['Chang–Roberts, extremum = max', 'Chang–Roberts, extremum = min', 'Peterson.*'])
      expect(stdout).toMatch(new RegExp(`\n${title}\n`));
    expect(readFileSync(at('set.svg'), 'utf8')).toContain('Chang–Roberts, extremum = min');
    const lines = readFileSync(at('set.csv'), 'utf8').split('\r\n');
    expect(lines.filter((line) => line.includes(',extremum=min filter=true,'))).toHaveLength(2);
    for (const file of ['set.csv', 'set.svg', 'tight.mjs']) rmSync(at(file));
  });

  it('prints with --json what sweep() of the library returns', () => {
    const { stdout } = run(
      'chang-roberts peterson --nodes 4..16 --runs 300 --measure election --seed 5 --json',
    );
    const options = { nodes: [4, 8, 16], runs: 300, measure: 'election', seed: 5 } as const;
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(sweep([changRoberts, peterson], options))));
  });

  it('gives the same JSON on one core and on two', () => {
    const printed = [1, 2].map(
      (cores) =>
        run(
          `chang-roberts,itai-rodeh --nodes 8,64 --runs 400 --order random,descending --json --cores ${cores}`,
        ).stdout,
    );
    expect(JSON.parse(printed[0]).complete).toBe(true);
    expect(new Set(printed).size).toBe(1);
  });

  it('writes a line per point with --csv, the JSON with --save, a plot with --svg', () => {
    const { status, stdout } = run(
      'chang-roberts,lelann --nodes 4,8 --runs 10 --csv out.csv --save out.json --svg out.svg --per-node --json',
    );
    expect(status).toBe(0);
    const result: SweepResult = JSON.parse(stdout);
    expect(readResult('out.json')).toEqual(result);
    const [head, ...lines] = readFileSync(at('out.csv'), 'utf8').split('\r\n');
    const columns = head.split(',');
    expect(lines.length).toBe(5); // four points, and what follows the last line
    const column = (line: string, name: string) => line.split(',')[columns.indexOf(name)];
    const points = result.series.flatMap((series) => series.points);
    lines.slice(0, 4).forEach((line, index) => {
      expect(column(line, 'complete')).toBe('true');
      expect(Number(column(line, 'mean'))).toBe(points[index].mean);
      expect(Number(column(line, 'n'))).toBe(points[index].n);
    });
    expect(readFileSync(at('out.svg'), 'utf8')).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"[\s\S]*<\/svg>\n$/);
    expect(readdirSync(folder.path).sort()).toEqual(['out.csv', 'out.json', 'out.svg']);
  });

  it('exits with 1 and the replay command if an election fails', () => {
    const { status, stdout, stderr } = run('chang-roberts-unkilled --nodes 8 --runs 50');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^hustings: chang-roberts-unkilled violated uniqueness [^\n]*\n$/);
    const [, replay] = /replay: hustings (.*)\n/.exec(stderr) ?? [];
    expect(hustings(words(replay)).stderr).toContain('violated uniqueness');
  });
});

describe('a sweep of a user’s file', () => {
  beforeAll(() => {
    cpSync(join(ROOT, 'examples/my-election.ts'), at('mine.ts'));
    const endless = readFileSync(at('mine.ts'), 'utf8').replace(/onStart\([^)]*\) \{/, '$& for (;;);');
    writeFileSync(at('endless.ts'), endless);
  });

  it('runs it in every thread', () => {
    const { status, stdout, stderr } = run('./mine.ts --nodes 4,8 --runs 20 --cores 2');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/\n8 +20 /);
  });

  it('exits with 1 if a handler does not return', () => {
    const { status, stderr } = run('./endless.ts --nodes 4 --runs 5', { HUSTINGS_HANDLER_TIMEOUT_MS: '300' });
    expect(stderr).toMatch(
      /has not returned after 0\.3 s; replay: hustings simulate \.\/endless\.ts [^\n]*\n$/,
    );
    expect(status).toBe(1);
  });
});

describe('a sweep of many runs', () => {
  it('distributes them over threads, and stores none of them', () => {
    // Told by the process itself: how many chunks each thread sent back, and the most memory that all had together.
    const hook = `
      const chunks = [];
      process.on('worker', (thread) => {
        const index = chunks.push(0) - 1;
        thread.on('message', () => chunks[index]++);
      });
      process.on('exit', () => console.error(JSON.stringify({ chunks, kilobytes: process.resourceUsage().maxRSS })));
    `;
    const node = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, MAIN];
    const sweepWords = words('sweep chang-roberts --nodes 64 --runs 10000 --cores 2 --json');
    const { stdout, stderr } = runProcess(process.execPath, [...node, ...sweepWords]);
    expect(JSON.parse(stdout)).toMatchObject({ complete: true, series: [{ points: [{ runs: 10_000 }] }] });
    const { chunks, kilobytes } = JSON.parse(stderr);
    expect(chunks).toHaveLength(2);
    for (const count of chunks) expect(count).toBeGreaterThan(0);
    expect(chunks[0] + chunks[1]).toBe(Math.ceil(10_000 / 256));
    expect(kilobytes).toBeLessThan(500_000);
  });
});

describe('a sweep that is stopped', () => {
  const LONG = 'chang-roberts,peterson --nodes 16..64 --runs 100000000';

  /** Starts a sweep that would take hours, and resolves when its file has something in it. */
  async function begin(line: string, file: string) {
    const child = startProcess(process.execPath, [MAIN, ...words(`sweep ${LONG} ${line}`)], {
      cwd: folder.path,
    });
    const output = outputOf(child);
    const ended = new Promise<{ code: number | null; stdout: string }>((resolve) => {
      child.on('close', (code) => resolve({ code, stdout: output.stdout }));
    });
    while (!existsSync(at(file))) await sleep(20);
    return { child, ended };
  }

  const runsOf = ({ series }: SweepResult): number =>
    series.flatMap(({ points }) => points).reduce((sum, { runs }) => sum + runs, 0);

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s prints and writes the results so far, and exits with %s', async (signal, code) => {
    const file = `${signal}.json`;
    const { child, ended } = await begin(`--save ${file} --csv ${signal}.csv`, file);
    child.kill(signal);
    const { code: exit, stdout } = await ended;
    expect(exit).toBe(code);
    const result = readResult(file);
    expect(result.complete).toBe(false);
    expect(stdout).toMatch(new RegExp(`^incomplete: stopped after ${runsOf(result)} of 600000000 runs\n`));
    expect(stdout).toContain('INCOMPLETE');
    expect(stdout).toContain(`written: ${signal}.csv, ${file}`);
    expect(readFileSync(at(`${signal}.csv`), 'utf8')).toContain(',false,');
  });

  it('prints with --json one document that is marked as incomplete', async () => {
    const { child, ended } = await begin('--json --csv stopped.csv', 'stopped.csv');
    child.kill('SIGINT');
    const result: SweepResult = JSON.parse((await ended).stdout);
    expect(result.complete).toBe(false);
    expect(runsOf(result)).toBeGreaterThan(0);
  });

  it('by SIGKILL leaves complete files, marked as incomplete', async () => {
    const { child, ended } = await begin(
      '--save killed.json --csv killed.csv --svg killed.svg',
      'killed.json',
    );
    // Until the files have been written a second time.
    const first = runsOf(readResult('killed.json'));
    while (runsOf(readResult('killed.json')) === first) await sleep(20);
    child.kill('SIGKILL');
    expect((await ended).code).toBe(null);
    const result = readResult('killed.json');
    expect(result).toMatchObject({ complete: false, runs: 100_000_000 });
    const lines = readFileSync(at('killed.csv'), 'utf8').trimEnd().split('\r\n');
    expect(lines).toHaveLength(7);
    for (const line of lines) expect(line.split(',').length).toBe(lines[0].split(',').length);
    expect(readFileSync(at('killed.svg'), 'utf8')).toMatch(/INCOMPLETE[\s\S]*<\/svg>\n$/);
  });
});

describe('bad input for hustings sweep: one line, exit code 2, nothing printed and no file left', () => {
  const wrong: readonly [line: string, says: RegExp][] = [
    ['', /missing required argument 'NAMES'/],
    ['chang-robert', /did you mean chang-roberts\?/],
    ['chang-roberts,', /there is no algorithm ''/],
    ['chang-roberts --nodes 64..16', /--nodes must be/],
    ['chang-roberts --runs many', /--runs must be/],
    ['chang-roberts --order up', /--order must be/],
    ['chang-roberts --schedule file:x', /--schedule must be lockstep, random or random:nofifo/],
    ['chang-roberts --measure luck', /measure must be one of messages, .*, not 'luck'/],
    ['chang-roberts --fit exp', /a growth must be one of 1, n, n\^2, .*, not 'exp'/],
    ['chang-roberts --cores 0', /--cores must be a whole number from 1 to 1024, not '0'/],
    ['chang-roberts --seed -1', /seed must be/],
    ['chang-roberts --set u=4', /no algorithm of the sweep has a parameter 'u'/],
    ['chang-roberts --per-node', /--per-node needs --svg/],
    ['chang-roberts --dark', /--dark needs --svg/],
    ['chang-roberts --size a4 --svg x.svg', /--size must be/],
    ['chang-roberts,peterson --schedule random:nofifo --csv x.csv', /peterson assumes FIFO links/],
    ['sun --nodes 16,18 --set u=4', /18/],
  ];
  const split = (line: string): string[] => words(`sweep ${line}`).filter((word) => word !== '');
  const refused = commandsTogether(
    wrong.map(([line]) => split(line)),
    folder,
  );
  it.each(wrong)("for '%s'", (line, says) => {
    const before = readdirSync(folder.path).sort();
    const { status, stdout, stderr, files } = refused(split(line));
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(files).toEqual(before);
  });

  it('but a file that cannot be written has exit code 3', () => {
    const { status, stdout } = run('chang-roberts --csv absent/out.csv');
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  });
});
