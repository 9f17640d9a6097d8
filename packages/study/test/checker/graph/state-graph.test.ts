import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/registry.ts';
import {
  type CheckOptions,
  check,
  formatDot,
  nodeMachine,
  probabilities,
  roundChain,
  stateGraph,
} from '../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';

function named(name: string): AnyAlgorithm {
  const found = registry.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no algorithm ${name}`);
  return found;
}

describe('the state graph', () => {
  const cases: [string, CheckOptions][] = [
    ...registry
      .filter(({ name }) => !/^(raft|itai-rodeh.*|echo-election)$/.test(name))
      .map(({ name }): [string, CheckOptions] => [name, { nodes: 2 }]),
    ['chang-roberts', { nodes: 3, fifo: false }],
    ['peterson', { nodes: 4, initiators: [0, 2] }],
    ['ring-max', { nodes: 2, crashes: 1, recoveries: 1 }],
    ['bully', { nodes: 3, losses: 1 }],
    ['divided', { nodes: 2, losses: 1 }],
    ['flood-max-rounds', { nodes: 4 }],
    ['itai-rodeh', { nodes: 2, bound: { round: 1 } }],
  ];
  it.each(cases)(
    '%s %j: as many states, steps and ends as the search without reductions finds',
    (name, options) => {
      const given = { order: 'ascending', ...options } as const;
      const { states, transitions, terminal, violations } = check(named(name), {
        ...given,
        reduce: 'none',
        invariants: 'none',
      });
      expect(violations).toEqual([]);
      const graph = stateGraph(named(name), given);
      expect([graph.states.length, graph.edges.length]).toEqual([states, transitions]);
      const ends = graph.states.filter((state) => state.isTerminal && !isBeyond(state.nodes, options));
      expect(ends).toHaveLength(terminal);
    },
  );

  it('marks states with two leaders', () => {
    const [{ ids }] = check(named('peterson'), { nodes: 4, orders: 'all', fifo: false }).violations;
    const graph = stateGraph(named('peterson'), { ids, fifo: false });
    const texts = new Set(graph.states.map(({ violation }) => violation));
    expect([...texts].some((text) => text?.includes('both lead'))).toBe(true);
  });

  it('a larger graph is refused with its size, and several instances are refused', () => {
    const size = check(named('franklin'), { nodes: 3, order: 'ascending', reduce: 'none' }).states;
    expect(() => stateGraph(named('franklin'), { nodes: 3, order: 'ascending' }, 100)).toThrow(
      `the state graph has ${size} states, and at most 100 are written: take fewer nodes`,
    );
    expect(() => stateGraph(named('itai-rodeh-unknown'), { nodes: 2 }, 400)).toThrow('has more than');
    expect(() => stateGraph(named('peterson'), { orders: 'all' })).toThrow('that of one instance');
  });

  it('in DOT has a line for each state and each step, with quoted texts', () => {
    const graph = stateGraph(named('chang-roberts'), { nodes: 2, order: 'ascending' });
    const lines = formatDot(graph).split('\n');
    expect(lines.filter((line) => /^ {2}\d+ \[/.test(line))).toHaveLength(graph.states.length);
    expect(lines.filter((line) => /^ {2}\d+ -> \d+ \[label="[^"]+"\]$/.test(line))).toHaveLength(
      graph.edges.length,
    );
    expect(lines.filter((line) => line.includes('doublecircle'))).toHaveLength(3);
    expect(lines.at(-2)).toBe('}');
  });
});

function isBeyond(
  nodes: readonly { state: Readonly<Record<string, unknown>> }[],
  { bound = {} }: CheckOptions,
): boolean {
  return Object.entries(bound).some(([field, most]) =>
    nodes.some(({ state }) => Number(state[field]) > most),
  );
}

describe('the state machine of a node', () => {
  it('of Peterson: relays forward, and a relay that receives its own id becomes the leader', () => {
    const machine = nodeMachine(stateGraph(named('peterson'), { nodes: 3, order: 'ascending' }));
    const at = (...lines: string[]) =>
      machine.states.findIndex((state) => state.lines.join() === lines.join());
    expect(machine.states.map(({ lines }) => lines.join(' ')).sort()).toEqual([
      'asleep relay',
      'leader',
      'receive p',
      'receive v',
      'receive v follower',
      'relay',
      'relay follower',
    ]);
    const texts = machine.transitions.map(
      ({ from, to, trigger, sent }) => `${from} ${to} ${trigger}/${sent.join()}`,
    );
    expect(texts).toContain(`${at('relay')} ${at('relay')} id/id`);
    expect(texts).toContain(`${at('relay')} ${at('leader')} id/elected`);
    expect(texts).toContain(`${at('asleep', 'relay')} ${at('receive v')} start/id`);
    expect(texts).not.toContain(`${at('leader')} ${at('relay')} id/id`);
    expect(machine.states.filter(({ isInitial }) => isInitial)).toHaveLength(1);
  });

  it.each(
    registry.filter(({ name }) => !/^(raft|itai-rodeh.*)$/.test(name)).map((one) => [one.name, one] as const),
  )('of %s has at most 16 states, all reachable', (_, algorithm) => {
    const { states, transitions } = nodeMachine(stateGraph(algorithm, { nodes: 2, order: 'ascending' }));
    expect(states.length).toBeLessThanOrEqual(16);
    const reached = new Set(states.flatMap(({ isInitial }, k) => (isInitial ? [k] : [])));
    for (const before of reached)
      for (const { from, to } of transitions) if (from === before) reached.add(to);
    expect(reached.size).toBe(states.length);
  });
});

describe('the rounds of Itai and Rodeh as a Markov chain', () => {
  it.each([2, 3])('%i nodes: probabilities sum to 1, and give the exact mean number of rounds', (nodes) => {
    const chain = roundChain(named('itai-rodeh'), { nodes });
    const mean = new Map<number, number>();
    const out = (state: number) => chain.edges.filter(({ from }) => from === state);
    // States with fewer active nodes first: a round never has more than the one before.
    const order = chain.states
      .map((state, k) => ({ k, nodes: state.type === 'active' ? state.nodes : 0 }))
      .sort((a, b) => a.nodes - b.nodes);
    for (const { k, nodes: active } of order) {
      if (active === 0) {
        mean.set(k, 0);
        continue;
      }
      expect(out(k).reduce((sum, { probability }) => sum + probability.decimal, 0)).toBeCloseTo(1, 12);
      const again = out(k).find(({ to }) => to === k)?.probability.decimal ?? 0;
      const others = out(k).filter(({ to }) => to !== k);
      const rest = others.reduce(
        (sum, { probability, to }) => sum + probability.decimal * (mean.get(to) ?? Number.NaN),
        0,
      );
      mean.set(k, (1 + rest) / (1 - again));
    }
    expect(mean.get(0)).toBeCloseTo(
      probabilities(named('itai-rodeh'), { nodes }).mean?.rounds?.decimal ?? 0,
      12,
    );
  });

  it('three nodes: 5/9 elect at once, and two of three remain with probability 1/3', () => {
    const { edges, states } = roundChain(named('itai-rodeh'), { nodes: 3 });
    const texts = edges.map(
      ({ from, to, probability }) => `${nameOf(from)} ${nameOf(to)} ${probability.fraction}`,
    );
    function nameOf(k: number): string {
      const state = states[k];
      return state.type === 'active' ? String(state.nodes) : state.type;
    }
    expect(texts.sort()).toEqual(['2 2 1/3', '2 elected 2/3', '3 2 1/3', '3 3 1/9', '3 elected 5/9']);
  });

  it('an algorithm without passive nodes or rounds is refused', () => {
    expect(() => roundChain(named('chang-roberts'))).toThrow('declares no passive nodes');
    expect(() => roundChain(named('peterson'))).toThrow('no counter of rounds');
  });
});
