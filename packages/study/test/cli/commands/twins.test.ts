import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseBlocks } from '../../../../../test/readme/blocks.ts';
import { isRunnable } from '../../../../../test/readme/run-blocks.ts';
import { ROOT } from '../../../../../test/source/source-file.ts';
import { commandProcess } from '../../../../../test-kit/command.ts';
import { twins } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import { twinCommand } from '../../../src/cli/report/algorithm-lists.ts';

const hustings = commandProcess();

describe.each(twins.map((twin) => [twin.name, twin] as const))('%s', (name, twin) => {
  it('has a name, and is caught by the command in the list of twins', async () => {
    const { status, stdout, stderr } = await hustings([...twinCommand(twin).split(' ').slice(1), '--json']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(check(twin.algorithm, twin.search));
  });

  it('is violated again when its saved run is replayed', async () => {
    const file = join(
      ROOT,
      'packages/study/test/algorithms/broken/counterexamples',
      `${name}.counterexample.json`,
    );
    const { status, stdout, stderr } = await hustings(['replay', file]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toContain(`\nreproduced: ${twin.property} is violated`);
  });

  it('says on its page that it is wrong, and why', async () => {
    const page = (await hustings(['algorithms', name])).stdout.replaceAll('\n', ' ');
    expect(page).toContain(`Wrong on purpose: a copy of ${twin.of} with one line changed`);
    expect(page).toContain(twin.why);
  });
});

it('docs/why-this-line.md runs the commands of these tests, and no others', () => {
  const page = readFileSync(join(ROOT, 'docs/why-this-line.md'), 'utf8');
  const run = parseBlocks(page).filter((block) => isRunnable(block) && block.notRun === undefined);
  const commands = [...twins.map((twin) => `${twinCommand(twin)} # exits 1`), 'hustings algorithms --broken'];
  expect(run.map(({ code }) => code).sort()).toEqual(commands.map((command) => `npx ${command}`).sort());
});

describe('hustings algorithms', () => {
  it('lists no twin without --broken, and with it every twin with the property that it violates', async () => {
    const list = (await hustings(['algorithms'])).stdout.split('\n');
    const broken = (await hustings(['algorithms', '--broken'])).stdout.split('\n');
    for (const twin of twins) {
      expect(list.filter((line) => line.startsWith(`${twin.name} `))).toEqual([]);
      const [line] = broken.filter((each) => each.startsWith(`${twin.name} `));
      const options = twinCommand(twin).replace(`hustings check ${twin.name} `, '');
      for (const part of [twin.of, twin.property, options]) expect(line).toContain(part);
    }
  });

  it('prints the twins as JSON', async () => {
    const { status, stdout } = await hustings(['algorithms', '--broken', '--json']);
    expect(status).toBe(0);
    const described = twins.map(({ algorithm: { title }, ...twin }) => ({ ...twin, title }));
    expect(JSON.parse(stdout)).toEqual(described);
  });
});

describe('a misspelled name', () => {
  it.each([
    ['peterson-stric', 'peterson-strict'],
    ['hasty', 'bully-hasty'],
    ['echo', 'echo-election'],
    ['petersn', 'peterson'],
  ])('%s suggests %s, and prefers a correct algorithm', async (given, meant) => {
    const { status, stderr } = await hustings(['simulate', given]);
    expect(status).toBe(2);
    expect(stderr).toContain(`did you mean ${meant}?`);
  });
});
