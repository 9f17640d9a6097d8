import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { twins } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import { twinCommand } from '../../../src/cli/report/algorithm-lists.ts';
import { ROOT } from '../../source/source-file.ts';
import { buildBefore, hustings } from '../command.ts';

buildBefore();

describe.each(twins.map((twin) => [twin.name, twin] as const))('%s', (name, twin) => {
  it('is found by its name, and caught by the command that the list of twins gives', () => {
    const { status, stdout, stderr } = hustings([...twinCommand(twin).split(' ').slice(1), '--json']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(check(twin.algorithm, twin.search));
  });

  it('is wrong again when the run that is kept is replayed', () => {
    const file = join(ROOT, 'test/algorithms/broken/counterexamples', `${name}.counterexample.json`);
    const { status, stdout, stderr } = hustings(['replay', file]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toContain(`\nreproduced: ${twin.property} is violated`);
  });

  it('says on its page that it is wrong, and why', () => {
    const page = hustings(['algorithms', name]).stdout.replaceAll('\n', ' ');
    expect(page).toContain(`Wrong on purpose: a copy of ${twin.of} with one line changed`);
    expect(page).toContain(twin.why);
  });
});

describe('hustings algorithms', () => {
  it('lists no twin among the right ones, and with --broken every one with what it breaks', () => {
    const list = hustings(['algorithms']).stdout.split('\n');
    const broken = hustings(['algorithms', '--broken']).stdout.split('\n');
    for (const twin of twins) {
      expect(list.filter((line) => line.startsWith(`${twin.name} `))).toEqual([]);
      const [line] = broken.filter((each) => each.startsWith(`${twin.name} `));
      const options = twinCommand(twin).replace(`hustings check ${twin.name} `, '');
      for (const part of [twin.of, twin.property, options]) expect(line).toContain(part);
    }
  });

  it('gives the twins to programs', () => {
    const { status, stdout } = hustings(['algorithms', '--broken', '--json']);
    expect(status).toBe(0);
    const described = twins.map(({ algorithm: { title }, ...twin }) => ({ ...twin, title }));
    expect(JSON.parse(stdout)).toEqual(described);
  });
});

describe('a name that is not quite one', () => {
  it.each([
    ['peterson-stric', 'peterson-strict'],
    ['hasty', 'bully-hasty'],
    ['echo', 'echo-election'],
    ['petersn', 'peterson'],
  ])('%s is taken for %s, a right algorithm where one is as likely', (given, meant) => {
    const { status, stderr } = hustings(['simulate', given]);
    expect(status).toBe(2);
    expect(stderr).toContain(`did you mean ${meant}?`);
  });
});
