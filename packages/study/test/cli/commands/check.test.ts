import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsTogether, hustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { bully, changRoberts, echoElection, peterson } from '../../../src/algorithms/index.ts';
import { type CheckOptions, check } from '../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';

const folder = temporaryFolder();
const words = (args: string): string[] => [
  'check',
  ...args.split(' ').map((word) => (word === '""' ? '' : word)),
];
const run = (args: string) => hustings(words(args), folder.path);
const OVERTAKING = 'peterson --nodes 4 --orders all --nofifo';

describe('the parameters of the algorithm', () => {
  it('are in the title if they are not the defaults, and all of them in the JSON document', () => {
    const titleOf = (args: string) => hustings(args.split(' '), folder.path).stdout.split('\n')[0];
    expect(titleOf('check chang-roberts --nodes 2 --set extremum=min --set filter=false')).toMatch(
      /every schedule, extremum = min$/,
    );
    expect(titleOf('check chang-roberts --nodes 2')).toMatch(/every schedule$/);
    expect(titleOf('check itai-rodeh --nodes 2 --set c=3 --probabilities')).toMatch(/ draws, c = 3$/);
    expect(titleOf('simulate chang-roberts --set extremum=min')).toMatch(/lockstep, seed 1, extremum = min$/);
    const { params } = JSON.parse(run('chang-roberts --nodes 2 --set extremum=min --json').stdout);
    expect(params).toEqual({ extremum: 'min', filter: false });
  });

  it('have similar names in the error for one that is unknown', () => {
    expect(run('chang-roberts --set extremun=min').stderr).toContain(
      "no parameter 'extremun': it has extremum, filter; did you mean extremum?",
    );
  });
});

describe('--json', () => {
  const searches: readonly [args: string, algorithm: AnyAlgorithm, options: CheckOptions][] = [
    ['peterson --nodes 4', peterson, { nodes: 4 }],
    [
      'peterson --nodes 3 --orders all --initiators subsets --starts first',
      peterson,
      { nodes: 3, orders: 'all', initiators: 'subsets', starts: 'first' },
    ],
    [
      'chang-roberts --ids 5,3,8 --initiators 0,2 --set extremum=min',
      changRoberts,
      { ids: [5, 3, 8], initiators: [0, 2], set: { extremum: 'min' } },
    ],
    [OVERTAKING, peterson, { nodes: 4, orders: 'all', fifo: false }],
    ['chang-roberts --nodes 4 --fifo', changRoberts, { nodes: 4, fifo: true }],
    [
      'chang-roberts --ids 2,1 --losses 1 --starts together',
      changRoberts,
      { ids: [2, 1], losses: 1, starts: 'together' },
    ],
    ['bully --nodes 4 --suspect', bully, { nodes: 4, suspect: true }],
    [
      'bully --nodes 3 --delay 2 --set timeout=4 --initiators subsets',
      bully,
      { nodes: 3, delay: 2, set: { timeout: '4' }, initiators: 'subsets' },
    ],
    [
      'echo-election --nodes 3 --topology line --initiators 0 --crashes 1 --recoveries 1',
      echoElection,
      { nodes: 3, topology: 'line', initiators: [0], crashes: 1, recoveries: 1 },
    ],
  ];

  const together = commandsTogether(
    searches.map(([args]) => words(`${args} --json`)),
    folder,
  );
  it.each(searches)('of %s is what check() returns', (args, algorithm, options) => {
    const { status, stdout, stderr } = together(words(`${args} --json`));
    const result = check(algorithm, options);
    expect(JSON.parse(stdout)).toEqual(result);
    expect({ status, stderr }).toEqual({ status: result.violations.length > 0 ? 1 : 0, stderr: '' });
  });
});

describe('a search', () => {
  it('that is complete prints its scope, and exits with 0', () => {
    const { status, stdout, stderr } = run('peterson --nodes 4 --orders all');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/4 nodes on a one-way ring, every schedule\n/);
    const { states } = check(peterson, { nodes: 4, orders: 'all' });
    const text = stdout.replaceAll('\n', ' ').replaceAll(',', '');
    expect(text).toContain(
      `all orders of the ids all nodes initiating starts at any time FIFO links: ${states} states`,
    );
    expect(text).toContain('Complete: no schedule violates a property.');
  });

  it('of one node has one id and one initiator', () => {
    expect(run('peterson --nodes 1 --initiators 0').stdout).toContain(
      'Explored the id 1, initiator 0, starts',
    );
  });

  it('on FIFO links prints the figures of docs/checked.md, for an algorithm that does not assume them', () => {
    const args = 'itai-rodeh --nodes 4 --set c=2 --initiators subsets --bound round=4 --reduce none';
    const { status, stdout } = run(`${args} --fifo`);
    const row = readFileSync(new URL('../../../../../docs/checked.md', import.meta.url), 'utf8')
      .split('\n')
      .find((line) =>
        line.startsWith('| itai-rodeh, c=2 | one-way ring | 4 | all sets of initiators, round ≤ 4 |'),
      );
    const [states, transitions] = row?.split(' | ').slice(4, 6) ?? [];
    const text = stdout.replaceAll('\n', ' ');
    expect(status).toBe(0);
    expect(text).toContain(`FIFO links: ${states} states, ${transitions} transitions`);
    expect(text).not.toContain('non-FIFO');
  });

  it('cannot have both FIFO and non-FIFO links', () => {
    const { status, stderr } = run('peterson --nofifo --fifo');
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("'--fifo' cannot be used with option '--nofifo'"),
    ]);
  });

  const reduced = [
    ['chang-roberts --nodes 3', 'Partial-order reduction was used.'],
    ['time-slice --nodes 3 --orders all', 'Symmetry reduction was used.'],
    ['chang-roberts --nodes 3 --orders all', 'Partial-order and symmetry reduction were used.'],
  ] as const;
  const together = commandsTogether(
    reduced.flatMap(([line]) => [words(line), words(`${line} --reduce none`)]),
    folder,
  );
  it.each(reduced)('names the reductions that were used: %s', (line, sentence) => {
    expect(together(words(line)).stdout.replaceAll('\n', ' ')).toContain(sentence);
    expect(together(words(`${line} --reduce none`)).stdout).not.toContain('eduction');
  });

  it('that reaches its limit warns, prints what it covered, and exits with 0', () => {
    const { status, stdout } = run('peterson --nodes 6 --states 1e3');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /\nwarning: incomplete: .* [\d,]+ of [\d,]+ states .*, complete to depth \d+: .*; raise --states/,
    );
    expect(stdout).not.toContain('Complete');
  });

  it('without options takes the preset of the algorithm, and names it with what it switches off', () => {
    const { status, stdout } = run('raft');
    expect(status).toBe(0);
    const text = stdout.replaceAll('\n', ' ');
    expect(text).toContain('Preset election: pre-vote, check quorum and lease off.');
    expect(text).toContain('Complete within the bounds term ≤ 1, round ≤ 1');
    expect(text).toContain('So timeout = 1, spread = 0.');
    expect(text).toMatch(/warning: within the bounds only: [\d,]+ states beyond them were not expanded/);
  });

  it('that a limit stops names a preset of the algorithm, which ends', () => {
    expect(run('raft --nodes 3 --states 2000').stdout).toContain(
      '; search a preset with --preset election\n',
    );
    expect(run('raft --preset terms --states 2000').stdout).not.toContain('--preset');
    expect(run('peterson --nodes 6 --states 1e3').stdout).not.toContain('--preset');
  });

  it('that expands hardly any state says that draws or parameters are the cause, not the limit', () => {
    const { stdout } = run('itai-rodeh --nodes 3 --set c=30000 --states 20000');
    expect(stdout).toContain('complete to depth');
    expect(stdout).toContain('random draws or large parameters are the cause, not the limit');
    expect(stdout).not.toContain('raise --states');
    expect(run('peterson --nodes 6 --states 11000').stdout).not.toContain('are the cause');
  });

  it('with --complete exits with 1 unless everything was searched, within the bounds if there are any', () => {
    for (const [line, status] of [
      ['peterson --nodes 3', 0],
      ['peterson --nodes 6 --states 1e3', 1],
      ['peterson --nodes 4 --orders all --nofifo', 1],
      ['bully --nodes 3 --crashes 1 --recoveries 1 --bound term=2', 0],
      ['bully --nodes 3 --crashes 1 --recoveries 1 --bound term=2 --fingerprints', 1],
    ] as const) {
      expect([line, run(`${line} --complete`).status]).toEqual([line, status]);
    }
  });

  const OWN = `import { counter, defineAlgorithm, message } from '@hustings/study/kernel';
    let calls = 0;
    const head = { title: 'x', source: 'a test', cost: '-', params: {}, laws: [], state: { x: counter(3) } };
    const assumes = { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true } as const;`;

  it('of an algorithm that elects nobody says so, and is no success for --complete', () => {
    writeFileSync(
      join(folder.path, 'nobody.ts'),
      `${OWN} export const nobody = defineAlgorithm({ ...head, name: 'nobody', assumes, horizon: () => 9, timers: ['tick'],
        messages: { m: message() }, on: { m() {} },
        onStart(_state, ctx) { ctx.setTimer('tick', 1); }, onTimer(_state, _timer, ctx) { ctx.setTimer('tick', 1); } });`,
    );
    const { status, stdout } = run('./nobody.ts --nodes 2');
    expect(status).toBe(0);
    const text = stdout.replaceAll('\n', ' ');
    expect(text).toContain('Complete, but no schedule elects anybody.');
    expect(text).toContain(
      'warning: nobody is elected: in no explored state is there a leader that all live nodes follow',
    );
    expect(run('./nobody.ts --nodes 2 --complete').status).toBe(1);
  });

  it('of a file whose handler keeps something outside the state refuses it with one line', () => {
    writeFileSync(
      join(folder.path, 'impure.ts'),
      `${OWN} export const impure = defineAlgorithm({ ...head, name: 'impure', assumes, messages: { m: message() },
        onStart(_state, ctx) { ctx.send(1, 'm'); },
        on: { m(_s, _p, _m, ctx) { if (++calls % 2 > 0) ctx.decide(ctx.id === 2 ? 'leader' : 'follower', 2); } } });`,
    );
    const { status, stderr, stdout } = run('./impure.ts --nodes 2');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^hustings: on\.m of impure must be a function of the node's state[^\n]*\n$/);
  });

  it('that reaches its limit keeps the warning out of the JSON', () => {
    const { status, stdout, stderr } = run('peterson --nodes 6 --states 1000 --json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, violations: [] });
    expect(stderr).toMatch(/^hustings: warning: incomplete: [^\n]+\n$/);
  });

  it('without a counterexample writes no file, and says so', () => {
    const { status, stdout } = run('peterson --nodes 3 --svg none.svg --save none.json');
    expect(status).toBe(0);
    expect(stdout).toContain('no counterexample; not written: none.svg, none.json');
    expect(existsSync(join(folder.path, 'none.svg')) || existsSync(join(folder.path, 'none.json'))).toBe(
      false,
    );
  });
});

describe('a counterexample', () => {
  it('is narrated step by step, and exits with 1', () => {
    const { status, stdout, stderr } = run(OVERTAKING);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toContain('✗ uniqueness is violated: nodes ');
    expect(stdout).toMatch(/\n {2}ids by position 4, \d, \d, \d; initiators 0, 1, 2, 3\n/);
    const [violation] = check(peterson, { nodes: 4, orders: 'all', fifo: false }).violations;
    const steps = [...stdout.matchAll(/^ +(\d+)\. node \d \(id \d\) (starts|receives)/gm)];
    expect(steps.map(([, number]) => Number(number))).toEqual(violation.steps.map((_, k) => k + 1));
    expect(stdout.match(/becomes the leader/g)).toHaveLength(2);
  });

  it('with losses and crashes is narrated', () => {
    expect(run('chang-roberts --ids 2,1 --losses 1').stdout).toMatch(
      /\n {2}\d\. token id=2 from node \d to node \d is lost\n/,
    );
    expect(run('chang-roberts --ids 2,1 --crashes 1').stdout).toMatch(
      /\n {2}\d\. node \d \(id \d\) crashes\n/,
    );
  });

  it('with bounded delay names the dead node and each unit of time', () => {
    const { status, stdout } = run('bully --nodes 4 --suspect');
    expect(status).toBe(1);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'starts together, non-FIFO links, delays up to 1, timers that may fire early',
    );
    expect(stdout).toMatch(/\n {2}node \d has crashed\n {2}nodes \d, \d, \d have started\n/);
    expect(stdout).toMatch(/\n +\d+\. one unit of time passes\n/);
  });

  it('begins after the starts if all nodes start together', () => {
    expect(run('chang-roberts --ids 2,1 --losses 1 --starts together').stdout).toContain(
      '\n  nodes 0, 1 have started\n  1. ',
    );
  });

  it('is drawn as a space-time diagram', () => {
    const { status, stdout } = run(`${OVERTAKING} --svg two.svg`);
    expect(status).toBe(1);
    expect(stdout).toContain('space-time diagram: two.svg');
    const svg = readFileSync(join(folder.path, 'two.svg'), 'utf8');
    expect(svg).toContain('a counterexample');
    expect(svg.match(/fill="#fcf1cf"/g)).toHaveLength(2);
  });

  it('is drawn and saved with --json too', () => {
    const { status, stdout } = run(`${OVERTAKING} --json --svg three.svg --save three.json`);
    expect(status).toBe(1);
    expect(JSON.parse(stdout).violations).toHaveLength(1);
    expect(existsSync(join(folder.path, 'three.svg'))).toBe(true);
    expect(existsSync(join(folder.path, 'three.json'))).toBe(true);
  });
});

describe('one line, exit code 2, nothing printed', () => {
  const wrong: readonly [args: string, says: RegExp][] = [
    ['petersen', /did you mean peterson\?/],
    ['peterson --nodes 0', /nodes must be a whole number from 1/],
    ['peterson --nodes four', /--nodes must be a number, as in 4, not 'four'/],
    ['peterson --nodes 4 --ids 1,2', /cannot be used with/],
    ['peterson --ids 1,1', /ids must differ, and 1 is given twice/],
    ['peterson --ids 1,two', /--ids must be/],
    ['peterson --ids anonymous', /peterson needs unique ids/],
    ['peterson --topology star', /assumes a one-way ring, not star/],
    ['echo-election --topology edges:absent.txt', /--topology must be a readable file, not 'absent.txt'/],
    ['peterson --orders some', /--orders must be one or all, not 'some'/],
    ['peterson --nodes 11 --orders all', /nodes must be at most 10 for all orders of the ids, not 11/],
    ['peterson --initiators none', /--initiators must be all, subsets, or different positions/],
    ['peterson --initiators ""', /--initiators must be/],
    ['peterson --initiators 0,0', /different positions, as in 0,2, not '0,0'/],
    ['peterson --nodes 4 --initiators 4', /an initiator must be a position from 0 to 3, not 4/],
    ['peterson --nodes 4 --initiators 1.5', /initiator must be .*, not 1\.5/],
    ['peterson --starts late', /--starts must be free, first or together, not 'late'/],
    ['peterson --crashes -1', /crashes must be a whole number from 0 to 100, not -1/],
    ['bully --delay soon', /--delay must be a number, as in 1, not 'soon'/],
    ['bully --topology ring', /bully assumes a complete network, not ring; use --topology complete/],
    ['peterson --recoveries x', /--recoveries must be/],
    ['peterson --recoveries 1', /recoveries must be 0 without crashes.*; use --crashes 1/],
    ['peterson --losses many', /--losses must be a number, as in 1, not 'many'/],
    ['chang-roberts --set wrong=1', /no parameter 'wrong'/],
    ['peterson --states 0', /--states must be a whole number from 1, not '0'/],
    ['peterson --states 1.5', /--states must be/],
    ['peterson --states all', /--states must be a whole number of states, as in 1e6, not 'all'/],
    ['peterson --svg ""', /--svg must be the path of a file/],
    ['peterson --save ""', /--save must be the path of a file/],
    ['chang-roberts --nodes 65 --svg out.svg', /at most 64 nodes, not 65/],
    ['peterson --despite fifo', /--despite must be timing, not 'fifo'/],
  ];
  const refused = commandsTogether(
    wrong.map(([args]) => words(args)),
    folder,
  );
  it.each(wrong)('for hustings check %s', (args, says) => {
    const { status, stdout, stderr } = refused(words(args));
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
