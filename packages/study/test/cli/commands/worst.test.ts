import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandProcess, temporaryFolder } from '../../../../../test-kit/command.ts';
import { changRoberts, itaiRodeh } from '../../../src/algorithms/index.ts';
import { check, probabilities } from '../../../src/checker/index.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const commands = commandProcess();
const run = (args: string) => commands(args.split(' '), folder.path);

const PING_PONG = `
import { defineAlgorithm, message } from '@hustings/study/kernel';
export default defineAlgorithm({
  name: 'ping-pong', title: 'Ping-pong', source: 'none', cost: 'none',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  params: {}, state: {}, messages: { ball: message() }, laws: [],
  onStart(_state, ctx) { ctx.send(1, 'ball'); },
  on: { ball(_state, port, _message, ctx) { ctx.send(port, 'ball'); } },
});
`;

describe('check --worst', () => {
  it('narrates, draws and saves the run, and exits with 0', async () => {
    const args = 'check chang-roberts --nodes 4 --orders all --worst election --svg w.svg --save w.json';
    const { status, stdout, stderr } = await run(args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('\nmost election messages: 10\n');
    expect(stdout).toContain('  10 election messages, 4 announcement, 56 bits, longest chain 8\n');
    expect(stdout).toContain('\n  ids by position 4, 3, 2, 1; initiators 0, 1, 2, 3\n');
    expect(readFileSync(at('w.svg'), 'utf8')).toContain('Chang–Roberts: most election messages: 10');
    expect(JSON.parse(readFileSync(at('w.json'), 'utf8'))).toMatchObject({
      property: 'worst election',
      cost: { extreme: 'worst', measure: 'election', value: 10, cycleLength: 0 },
    });
  });

  it('prints with --json what check() returns', async () => {
    const { status, stdout } = await run(
      'check chang-roberts --nodes 3 --orders all --worst time --best bits --json',
    );
    expect(status).toBe(0);
    const result = check(changRoberts, { nodes: 3, orders: 'all', worst: 'time', best: 'bits' });
    expect(JSON.parse(stdout)).toEqual(result);
  });

  it('shows the cycle of an unbounded cost', async () => {
    writeFileSync(at('ping-pong.ts'), PING_PONG);
    const { status, stdout } = await run('check ./ping-pong.ts --nodes 3 --initiators 0 --worst messages');
    expect(status).toBe(1);
    expect(stdout).toContain('termination is violated');
    expect(stdout).toContain('unbounded messages: the last 2 steps can be repeated without end');
  });

  it('warns if the cost is unknown', async () => {
    const { stdout } = await run('check peterson --nodes 6 --states 1e3 --worst messages --save none.json');
    expect(stdout).toMatch(/warning: the worst cost is unknown/);
    expect(existsSync(at('none.json'))).toBe(false);
  });

  it.each([
    ['check peterson --worst money', /--worst must be messages, election, bits or time/],
    ['check peterson --best time', /--best must be messages, election or bits/],
    ['check peterson --nodes 3 --worst bits --fingerprints', /leave out fingerprints/],
  ])('refuses %s', async (args, words) => {
    const { status, stderr } = await run(args);
    expect(status).toBe(2);
    expect(stderr).toMatch(words);
  });
});

describe('replay of a most expensive run', () => {
  it('exits with 0 if it costs what the file says, and with 1 if not', async () => {
    await run('check chang-roberts --nodes 3 --orders all --worst messages --save most.json');
    const again = await run('replay most.json');
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('\nreproduced: most messages: 9');
    const saved = JSON.parse(readFileSync(at('most.json'), 'utf8'));
    writeFileSync(at('other.json'), JSON.stringify({ ...saved, cost: { ...saved.cost, value: 8 } }));
    const other = await run('replay other.json');
    expect(other.status).toBe(1);
    expect(other.stdout).toContain('\nnot reproduced: most messages: 8');
  });

  it('refuses an invalid cost', async () => {
    const saved = JSON.parse(readFileSync(at('most.json'), 'utf8'));
    writeFileSync(at('other.json'), JSON.stringify({ ...saved, cost: { measure: 'money' } }));
    const { status, stderr } = await run('replay other.json');
    expect({ status, stderr }).toMatchObject({ status: 2 });
    expect(stderr).toMatch(/cost in other\.json must be the cost of the run, or null/);
  });
});

describe('check --probabilities', () => {
  it('shows fractions beside the means of simulated runs', async () => {
    const { status, stdout, stderr } = await run('check itai-rodeh --nodes 3 --probabilities');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/E\(rounds\) +27\/16 +1\.6875 +1\.6\d\d ± 0\.0\d\d\n/);
  });

  it('exits with 1 if the election can fail', async () => {
    const { status, stdout } = await run(
      'check itai-rodeh-unknown --nodes 2 --probabilities --states 500 --json',
    );
    expect(JSON.parse(stdout).failure.decimal).toBeGreaterThan(0);
    expect(status).toBe(1);
  });

  it('prints with --json what probabilities() returns', async () => {
    const { stdout } = await run('check itai-rodeh --nodes 2 --set c=3 --probabilities --json');
    expect(JSON.parse(stdout)).toEqual(probabilities(itaiRodeh, { nodes: 2, set: { c: '3' } }));
  });

  it.each([
    ['check bully --nodes 3 --probabilities', /without timers .* not bully/],
    ['check itai-rodeh --nodes 3 --probabilities --crashes 1', /cannot be used with/],
    [
      'check itai-rodeh --nodes 3 --probabilities --initiators subsets',
      /--initiators must be all or positions/,
    ],
  ])('refuses %s', async (args, words) => {
    const { status, stderr } = await run(args);
    expect(status).toBe(2);
    expect(stderr).toMatch(words);
  });
});
