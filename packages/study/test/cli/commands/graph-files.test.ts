import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';

const folder = temporaryFolder();
const check = (...args: string[]) => hustings(['check', ...args], folder.path);
const text = (name: string): string => readFileSync(join(folder.path, name), 'utf8');

describe('hustings check draws graphs', () => {
  it('--dot and --svg-node write the state graph and the state machine of a node', () => {
    const { status, stdout } = check(
      'peterson',
      '--nodes',
      '3',
      '--dot',
      'graph.dot',
      '--svg-node',
      'node.svg',
    );
    expect(status).toBe(0);
    const [, states, steps] =
      /state graph: graph\.dot, (\d+) states, (\d+) steps\nstate machine: node\.svg\n$/.exec(stdout) ?? [];
    expect(text('graph.dot').match(/^ {2}\d+ \[/gm)).toHaveLength(Number(states));
    expect(text('graph.dot').match(/ -> /g)).toHaveLength(Number(steps));
    expect(text('node.svg')).toContain('>receive v<');
  });

  it('a graph that is too large is refused with its size, and nothing is written', () => {
    const { status, stderr } = check('hirschberg-sinclair', '--nodes', '4', '--dot', 'large.dot');
    expect(stderr).toMatch(
      /^hustings: the state graph has (more than )?\d+ states, and at most 10000 are written: take fewer nodes\n$/,
    );
    expect(status).toBe(3);
    expect(existsSync(join(folder.path, 'large.dot'))).toBe(false);
  });

  it('--svg-chain draws the rounds of Itai and Rodeh with exact probabilities', () => {
    const { status, stdout } = check(
      'itai-rodeh',
      '--nodes',
      '3',
      '--probabilities',
      '--svg-chain',
      'chain.svg',
      '--dark',
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/Markov chain: chain\.svg\n$/);
    for (const label of ['3 active', '2 active', 'elected', '5/9'])
      expect(text('chain.svg')).toContain(`>${label}<`);
  });

  it.each([
    [['--svg-chain', 'x.svg'], '--svg-chain needs --probabilities: give both'],
    [['--dark'], '--dark needs --svg, --svg-node or --svg-chain: give both'],
    [['--dot', 'x.dot', '--orders', 'all'], 'a state graph is that of one instance'],
  ])('%j is refused in one line', (args, problem) => {
    const { status, stderr } = check('peterson', '--nodes', '3', ...args);
    expect(stderr).toContain(problem);
    expect(status).toBe(2);
  });
});
