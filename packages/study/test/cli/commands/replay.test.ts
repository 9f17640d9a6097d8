import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandProcess, hustings, temporaryFolder } from '../../../../../test-kit/command.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const run = commandProcess();
const replay = (...args: string[]) => run(['replay', ...args], folder.path);
const save = (name: string, args: string) => run(['check', ...args.split(' '), '--save', name], folder.path);
/** The saved file with some of its fields replaced. */
function altered(fields: Record<string, unknown>): string {
  const saved = JSON.parse(readFileSync(at('two-leaders.json'), 'utf8'));
  writeFileSync(at('altered.json'), JSON.stringify({ ...saved, ...fields }));
  return 'altered.json';
}

beforeAll(async () => {
  await save('two-leaders.json', 'peterson --nodes 4 --orders all --nofifo');
});

describe('a saved counterexample', () => {
  it('is a file with all options that its steps need', () => {
    const saved = JSON.parse(readFileSync(at('two-leaders.json'), 'utf8'));
    expect(saved).toMatchObject({
      version: 1,
      algorithm: 'peterson',
      initiators: [0, 1, 2, 3],
      starts: 'free',
      fifo: false,
      topology: null,
      set: {},
      property: 'uniqueness',
    });
    expect(saved.steps[0]).toMatch(/^start \d$/);
  });

  it('is reproduced step by step, and exits with 1', () => {
    // As a user does: the other tests share a process.
    const { status, stdout, stderr } = hustings(['replay', 'two-leaders.json'], folder.path);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    const { steps } = JSON.parse(readFileSync(at('two-leaders.json'), 'utf8'));
    expect(stdout.match(/^ +\d+\. /gm)).toHaveLength(steps.length);
    expect(stdout).toMatch(/\nreproduced: uniqueness is violated: nodes \d and \d both lead/);
  });

  it.each([
    'chang-roberts --ids 2,1 --losses 1',
    'chang-roberts --ids 2,1 --losses 1 --starts together',
    'chang-roberts --nodes 3 --crashes 1 --starts first',
    'echo-election --nodes 4 --topology star --crashes 1',
    'hirschberg-sinclair --ids 2,1 --losses 1',
    'dolev-klawe-rodeh --nodes 4 --orders all --nofifo',
    'bully --nodes 4 --suspect',
    'bully --nodes 3 --crashes 1 --losses 1 --starts free',
  ])('is reproduced: %s', async (args) => {
    expect((await save('again.json', args)).status).toBe(1);
    const { status, stdout } = await replay('again.json', '--json');
    const { property } = JSON.parse(readFileSync(at('again.json'), 'utf8'));
    expect(JSON.parse(stdout)).toMatchObject({ property, shows: true, violation: { property } });
    expect(status).toBe(1);
  });

  it('has the text of the network, and does not read its file again', async () => {
    writeFileSync(at('path.txt'), '0 1\n1 2\n');
    await save('path.json', 'echo-election --topology edges:path.txt --losses 1');
    writeFileSync(at('path.txt'), '0 2\n2 1\n');
    expect((await replay('path.json')).status).toBe(1);
  });

  it('is drawn', async () => {
    const { stdout } = await replay('two-leaders.json', '--svg', 'two-leaders.svg');
    expect(stdout).toContain('space-time diagram: two-leaders.svg');
    const drawn = readFileSync(at('two-leaders.svg'), 'utf8');
    expect(drawn.match(/fill="#fcf1cf"/g)).toHaveLength(2);
    // The steps of the text have positions, the rows of the picture ids.
    const { ids } = JSON.parse(readFileSync(at('two-leaders.json'), 'utf8'));
    const [, one, other] = /nodes (\d) and (\d) both lead/.exec(stdout) ?? [];
    expect(drawn).toContain(`nodes ${one} (id ${ids[one]}) and ${other} (id ${ids[other]}) both lead`);
  });

  it('is printed with --json as events by step', async () => {
    const { stdout } = await replay('two-leaders.json', '--json');
    const { steps, before } = JSON.parse(stdout);
    expect(before).toEqual([]);
    const [, node] = /^start (\d)$/.exec(steps[0].step) ?? [];
    expect(steps[0].events).toMatchObject([
      { type: 'start', node: Number(node), time: 1 },
      { type: 'send', node: Number(node), to: (Number(node) + 1) % 4 },
    ]);
  });

  it('is printed with --states after each step of a node, and before the first one', async () => {
    await save('lost.json', 'chang-roberts --ids 2,1 --losses 1');
    const { stdout } = await replay('lost.json', '--states');
    const lines = stdout.split('\n').slice(2, 9);
    expect(lines).toEqual([
      '     node 0: best=-1',
      '     node 1: best=-1',
      '  1. node 0 (id 2) starts: sends token id=2 to node 1',
      expect.stringMatching(/^ {5}node 0: best=-1$/),
      '  2. node 1 (id 1) receives token id=2 from node 0: sends token id=2 to node 0',
      expect.stringMatching(/^ {5}node 1: best=/),
      '  3. token id=2 from node 1 to node 0 is lost',
    ]);
  });

  it('is printed with --trace as events, with --states as the simulator traces them', async () => {
    const traced = async (...flags: string[]) => {
      const { stdout } = await replay('two-leaders.json', '--trace', ...flags);
      return stdout.split('\n').filter((line) => /^\d+\.000 /.test(line));
    };
    const events = await traced();
    expect(events[0]).toMatch(/^1\.000 start \d$/);
    expect(events.some((line) => / state /.test(line))).toBe(false);
    const withStates = await traced('--states');
    expect(withStates.filter((line) => !/ state /.test(line))).toEqual(events);
    expect(withStates.slice(0, 4)).toEqual(
      [0, 1, 2, 3].map((node) => expect.stringMatching(`^0\\.000 state ${node} .*=`)),
    );
    // The state of a node stands between the event and what its handler sends.
    const [start, state, send] = withStates.slice(4);
    const node = start.slice(-1);
    expect(state).toMatch(`1.000 state ${node} `);
    expect(send).toMatch(`1.000 send ${node} > `);
  });

  it('is printed with --json --states with the states among the events', async () => {
    const { stdout } = await replay('two-leaders.json', '--json', '--states');
    const { before, steps } = JSON.parse(stdout);
    expect(before.map(({ type, node }: { type: string; node: number }) => [type, node])).toEqual(
      [0, 1, 2, 3].map((node) => ['state', node]),
    );
    const node = Number(steps[0].step.slice(-1));
    expect(steps[0].events[1]).toMatchObject({ type: 'state', node, state: expect.any(Object) });
  });

  it('is not reproduced if the run is cut short, and exits with 0', async () => {
    const { steps } = JSON.parse(readFileSync(at('two-leaders.json'), 'utf8'));
    const { status, stdout } = await replay(altered({ steps: steps.slice(0, -1) }));
    expect(status).toBe(0);
    expect(stdout).toContain('not reproduced: in the file uniqueness is violated');
  });
});

describe('one line, exit code 2, nothing printed', () => {
  const wrong: readonly [name: string, fields: Record<string, unknown>, says: RegExp][] = [
    ['another version', { version: 2 }, /version in altered\.json must be 1, not 2/],
    ['an unknown algorithm', { algorithm: 'petersen' }, /did you mean peterson/],
    ['no algorithm', { algorithm: undefined }, /algorithm in altered\.json must be a name, not missing/],
    ['ids that are none', { ids: 'four' }, /ids in .* must be a list of ids/],
    ['equal ids', { ids: [1, 1] }, /ids must differ, and 1 is given twice/],
    ['an initiator elsewhere', { initiators: [9] }, /an initiator must be a position from 0 to \d+, not 9/],
    ['other starts', { starts: 'late' }, /starts in .* must be free, first or together/],
    ['a network that is none', { topology: 'blob' }, /not 'blob'/],
    ['a parameter that is none', { set: { wrong: 1 } }, /no parameter 'wrong'|has no parameters/],
    ['steps that are none', { steps: [1] }, /steps in .* must be a list of steps/],
    ['a step that is none', { steps: ['jump 0'] }, /a step must be like .*, not 'jump 0'/],
    ['a step of nobody', { steps: ['start 7'] }, /step 1, 'start 7', is not enabled/],
    ['a tick where there is no time', { steps: ['tick'] }, /step 1, 'tick'/],
    ['a crash of nobody', { steps: ['crash 7'] }, /step 1, 'crash 7'/],
    ['a recovery of the living', { steps: ['recover 0'] }, /step 1, 'recover 0'/],
    ['a second start', { steps: ['start 0', 'start 0'] }, /step 2, 'start 0'/],
    ['a delivery of nothing', { steps: ['deliver 0 > 1 id id=4'] }, /step 1, 'deliver 0 > 1 id id=4'/],
    ['a timer that does not run', { steps: ['timer 0 patience'] }, /step 1, 'timer 0 patience'/],
    ['overtaking on FIFO links', { fifo: null }, /step \d+, 'deliver .*', is not enabled/],
  ];
  const expectRefusal = async (args: string[], says: RegExp): Promise<void> => {
    const { status, stdout, stderr } = await replay(...args);
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  };

  it.each(wrong)('for a file with %s', (_, fields, says) => expectRefusal([altered(fields)], says));

  it('for no file, a missing file, and another kind of file', async () => {
    await expectRefusal([], /missing required argument 'FILE'/);
    await expectRefusal(['absent.json'], /FILE must be a readable file, not 'absent\.json' \(no such file/);
    writeFileSync(at('words.json'), 'hello');
    await expectRefusal(['words.json'], /words\.json must be a JSON document/);
    writeFileSync(at('list.json'), '[]');
    await expectRefusal(['list.json'], /list\.json must be a counterexample, not \[\]/);
  });
});
