/** Angluin 1980: without ids and random draws all nodes of a ring stay in equal states, with any algorithm. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attempts, registry } from '../../src/algorithms/index.ts';
import { check } from '../../src/checker/index.ts';
import { type AnyAlgorithm, counter, counters, message } from '../../src/kernel/index.ts';
import { AsymmetryError, Run, simulate, symmetricRun } from '../../src/simulator/index.ts';
import { testAlgorithm } from './test-algorithm.ts';

const SIZES = [2, 3, 4, 5, 6];

function expectNeverOneLeader(algorithm: AnyAlgorithm, nodes: number): void {
  const { end, leaders, moments, n } = symmetricRun(algorithm, { nodes });
  expect(n).toBe(nodes);
  expect(moments.length).toBeGreaterThan(0);
  expect(leaders.every((count) => count === 0 || count === nodes)).toBe(true);
  expect(end).not.toBe('open');
}

describe.each(attempts.map((attempt) => [attempt.name, attempt.algorithm] as const))('%s', (_, algorithm) => {
  it('has a symmetric run that never has exactly one leader, for n from 2 to 6', () => {
    for (const nodes of SIZES) expectNeverOneLeader(algorithm, nodes);
  });

  it('is refuted by the checker, for n from 2 to 6', () => {
    for (const nodes of SIZES) expect(check(algorithm, { nodes }).violations).toHaveLength(1);
  });

  it('elects one leader if one node starts alone', () => {
    for (const nodes of [1, ...SIZES]) {
      expect(simulate(algorithm, { nodes, initiators: [nodes - 1] }).leader?.position).toBe(nodes - 1);
      expect(check(algorithm, { nodes, initiators: [0] })).toMatchObject({ complete: true, violations: [] });
    }
  });
});

describe('the symmetric run', () => {
  it('is the run in lockstep, state by state', () => {
    const [{ algorithm }] = attempts;
    const states: unknown[] = [];
    const run = new Run(algorithm, {
      nodes: 3,
      states: true,
      despite: ['termination'],
      observe: (event) => {
        if (event.type === 'state' && event.node === 2 && event.time > 0) states.push(event.state);
      },
    });
    while (!run.advance());
    const { moments } = symmetricRun(algorithm, { nodes: 3 });
    expect(moments.slice(1).map(({ state }) => state)).toEqual(states);
  });

  it('shows the three ways to fail: all lead, all follow, or the same states repeat without end', () => {
    const ends = attempts.map(({ algorithm }) => symmetricRun(algorithm, { nodes: 4 }));
    expect(ends.map(({ end }) => end)).toEqual(['all lead', 'all follow', 'never ends']);
    expect(ends.map(({ leaders }) => leaders)).toEqual([[0, 4], [0], [0]]);
    // Three numbers, four hops each.
    expect(ends.map(({ recurs, moments }) => [recurs, moments.at(-1)?.time])).toEqual([
      [null, 5],
      [null, 4],
      [0, 12],
    ]);
  });

  it('is cut after 10,000 units if a counter keeps growing', () => {
    const rising = testAlgorithm({
      assumes: { network: 'ring', ids: 'anonymous' },
      state: { count: counter(1_000_000) },
      messages: { tick: message() },
      onStart: (_, ctx) => ctx.send(1, 'tick'),
      on: {
        tick: (state, _port, _message, ctx) => {
          state.count++;
          ctx.send(1, 'tick');
        },
      },
    });
    const { end, moments } = symmetricRun(rising, { nodes: 2 });
    expect([end, moments.length, moments.at(-1)?.state]).toEqual(['open', 10_001, { count: 10_000 }]);
  });

  it('supports timers, lists, both directions and any connected network that may be a ring', () => {
    const patient = testAlgorithm({
      assumes: { network: 'connected', ids: 'anonymous' },
      state: { heard: counters(9) },
      messages: { hello: message(['port', counter(9)]) },
      timers: ['wait'],
      onStart: (_, ctx) => {
        for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'hello', port);
        ctx.setTimer('wait', 3);
      },
      on: { hello: (state, port, { port: other }) => void state.heard.push(port + other) },
      onTimer: (_, _timer, ctx) => ctx.decide('leader'),
    });
    for (const nodes of SIZES)
      expect(symmetricRun(patient, { nodes })).toMatchObject({ end: 'all lead', n: nodes });
  });

  it.each<[by: AsymmetryError['by'], name: string, nodes: number]>([
    ['ids', 'chang-roberts', 4],
    ['ids', 'bully', 4],
    ['draws', 'itai-rodeh', 4],
    ['draws', 'itai-rodeh-bounded', 4],
    ['draws', 'itai-rodeh-unknown', 4],
  ])('is violated by %s in %s', (by, name, nodes) => {
    const algorithm = registry.find((each) => each.name === name);
    if (algorithm === undefined) throw new Error(`no algorithm is named ${name}`);
    expect(() => symmetricRun(algorithm, { nodes })).toThrow(
      expect.objectContaining({ by, name: 'AsymmetryError' }),
    );
  });

  it('needs at least two nodes: a single node may lead', () => {
    const [{ algorithm }] = attempts;
    expect(() => symmetricRun(algorithm, { nodes: 1 })).toThrow(AsymmetryError);
    expect(simulate(algorithm, { nodes: 1 }).leader?.position).toBe(0);
  });

  it('reports a handler that keeps state outside its node', () => {
    let calls = 0;
    const sly = testAlgorithm({
      assumes: { network: 'ring', ids: 'anonymous' },
      state: { count: counter(100) },
      onStart: (state) => {
        state.count = ++calls;
      },
    });
    expect(() => symmetricRun(sly, { nodes: 3 })).toThrow(
      'nodes 0 and 1 of trial had equal states and differ at time 0',
    );
  });
});

/** Any state machine of four states and three messages, given by tables. */
const anyMachine = fc.record({
  oneWay: fc.boolean(),
  first: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)),
  // By state, port and message: the next state, the messages to port 0 and port 1 (3 is none), the decision.
  table: fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(9)), { minLength: 24, maxLength: 24 }),
});

describe('any deterministic algorithm', () => {
  it('never has exactly one leader in its symmetric run, for n from 2 to 6', () => {
    const ends = new Set<string>();
    fc.assert(
      fc.property(anyMachine, ({ oneWay, first, table }) => {
        const say = (
          ctx: { send(port: number, type: string, m: number): void },
          back: number,
          on: number,
        ) => {
          if (back < 3 && !oneWay) ctx.send(0, 'say', back);
          if (on < 3) ctx.send(1, 'say', on);
        };
        const machine = testAlgorithm({
          assumes: { network: oneWay ? 'one-way ring' : 'ring', ids: 'anonymous' },
          state: { s: counter(3), done: counter(1) },
          messages: { say: message(['m', counter(2)]) },
          onStart: (state, ctx) => {
            state.s = first[0];
            say(ctx, first[1], first[2]);
          },
          on: {
            say: (state, port, { m }, ctx) => {
              if (state.done === 1) return;
              const [next, back, on, decision] = table[(state.s * 2 + port) * 3 + m];
              state.s = next;
              if (decision < 2) {
                state.done = 1;
                ctx.decide(decision === 0 ? 'leader' : 'follower');
              }
              // At most one message for each received one, so that their number stays bounded.
              if (oneWay || port === 0) say(ctx, 3, on);
              else say(ctx, back, 3);
            },
          },
        });
        for (const nodes of SIZES) {
          expectNeverOneLeader(machine, nodes);
          ends.add(symmetricRun(machine, { nodes }).end);
        }
      }),
      { numRuns: 150, seed: 1980 },
    );
    expect([...ends].sort()).toEqual(['all follow', 'all lead', 'never ends', 'nobody decides']);
  });
});
