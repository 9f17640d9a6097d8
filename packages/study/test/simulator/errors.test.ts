import { describe, expect, test } from 'vitest';
import { bully } from '../../src/algorithms/index.ts';
import { type AnyAlgorithm, ElectionError, id, message } from '../../src/kernel/index.ts';
import { Run, type SimulateOptions, simulate } from '../../src/simulator/index.ts';
import { type Ctx, type TestAlgorithm, testAlgorithm } from './test-algorithm.ts';

/** Ids 7, 9 and 8 in a ring; only 9 initiates, and sends `ask` clockwise at 0. */
const ring: SimulateOptions = { ids: [7, 9, 8], initiators: [1] };

function asking(parts: TestAlgorithm = {}): AnyAlgorithm {
  return testAlgorithm({
    messages: { ask: message(['id', id()]) },
    onStart: (_state, ctx) => ctx.send(1, 'ask', ctx.id),
    ...parts,
    assumes: { network: 'one-way ring', knows: [], ...parts.assumes },
  });
}

/** The error of a run, which is the same in the fast loop and with an observer. */
function errorOf(algorithm: AnyAlgorithm, options: SimulateOptions = ring): ElectionError {
  const errors = [undefined, () => {}].map((observe) => {
    try {
      simulate(algorithm, { ...options, observe });
    } catch (error) {
      if (error instanceof ElectionError) return error;
      throw error;
    }
    throw new Error('the run should have failed');
  });
  expect(errors[1].message).toBe(errors[0].message);
  return errors[0];
}

const REPLAY = 'hustings simulate trial --ids 7,9,8 --initiators 1 --seed 1 --trace';

describe('the error of a failing handler has the node, the event and the command that replays the run', () => {
  const boom = () => {
    throw new RangeError('boom');
  };

  test('on a start', () => {
    const error = errorOf(asking({ onStart: boom }));
    expect(error.message).toBe('trial failed at node 1 (id 9) at time 0, on start: boom');
    expect(error).toMatchObject({ property: 'handler', code: 'HUSTINGS_ELECTION' });
    expect(error.replay).toBe(REPLAY);
    expect(error.cause).toBeInstanceOf(RangeError);
  });

  test.each<[string, (ctx: Ctx) => unknown, string]>([
    ['throws', boom, 'boom'],
    [
      'sends on a port that is not there',
      (ctx) => ctx.send(5, 'ask', 1),
      'port must be from 0 to 1 here, not 5',
    ],
    [
      'sends against the ring',
      (ctx) => ctx.send(0, 'ask', 1),
      'port must be 1 on a one-way ring: port 0 only receives',
    ],
    [
      'sends a value out of range',
      (ctx) => ctx.send(1, 'ask', 10),
      "'id' takes a whole number from -1 to 9, not 10",
    ],
    [
      'sends what it has not declared',
      (ctx) => ctx.send(1, 'tell'),
      "'tell' is not a message of this algorithm: it has ask",
    ],
    ['reads n', (ctx) => ctx.n, "trial does not assume that a node knows the size n: declare knows: ['n']"],
    [
      'reads the time',
      (ctx) => ctx.now,
      "trial does not assume that a node knows a clock: declare knows: ['time']",
    ],
    [
      'follows nobody',
      (ctx) => ctx.decide('follower'),
      "a follower must name its leader: decide('follower', id)",
    ],
    [
      'rolls a strange die',
      (ctx) => ctx.random(2 ** 53),
      'random(k) takes a whole number from 1 to 9007199254740991, not 9007199254740992',
    ],
  ])('on a message: %s', (_, act, text) => {
    const error = errorOf(asking({ on: { ask: (_state, _port, _message, ctx) => act(ctx) } }));
    expect(error.message).toBe(`trial failed at node 2 (id 8) at time 1, on message <ask id=9>: ${text}`);
  });

  test('returns something, as an async handler does', () => {
    const late = asking({ on: { ask: (async () => {}) as never } });
    expect(errorOf(late).message).toContain('on.ask must return nothing: a handler is not async');
    const onTimer = asking({
      timers: ['tea'],
      onStart: (_state, ctx) => ctx.setTimer('tea', 1),
      onTimer: (async () => {}) as never,
    });
    expect(errorOf(onTimer).message).toContain('onTimer must return nothing: a handler is not async');
  });

  test('reads an id of an anonymous node', () => {
    const nameless = asking({ assumes: { ids: 'anonymous' }, onStart: (_state, ctx) => void ctx.id });
    expect(errorOf(nameless).message).toContain(
      "trial does not assume that a node knows ids: declare ids: 'unique'",
    );
  });

  test('on a timer', () => {
    const late = asking({
      timers: ['tea'],
      onStart: (_state, ctx) => ctx.setTimer('tea', 2.5),
      onTimer: boom,
    });
    expect(errorOf(late).message).toContain("failed at node 1 (id 9) at time 2.5, on timer 'tea': boom");
  });

  test('on a recovery, and on an undelivered message', () => {
    const crash = [{ position: 2, time: 0 }];
    const recover = [{ position: 2, time: 4 }];
    expect(errorOf(asking({ onRestart: boom }), { ...ring, crash, recover }).message).toContain(
      'failed at node 2 (id 8) at time 4, on recovery: boom',
    );
    expect(errorOf(asking({ onUndelivered: boom }), { ...ring, crash }).message).toContain(
      'failed at node 1 (id 9) at time 2, on notice <ask id=9>: boom',
    );
  });

  test('writes a state out of range', () => {
    const clumsy = asking({
      state: { best: id() },
      onStart: (state) => {
        state.best = 10;
      },
    });
    expect(errorOf(clumsy).message).toContain("'best' takes a whole number from -1 to 9, not 10");
  });

  test('sends nothing', () => {
    const half = asking({
      onStart(_state, ctx) {
        ctx.send(1, 'ask', 9);
        boom();
      },
    });
    const kinds: string[] = [];
    const run = new Run(half, { ...ring, observe: ({ type }) => kinds.push(type) });
    expect(() => run.advance()).toThrow('boom');
    expect(kinds).toEqual(['start']);
  });
});

describe('a run that does not terminate is stopped', () => {
  const endlessRuns: [string, AnyAlgorithm][] = [
    ['messages', asking({ on: { ask: (_state, _port, _message, ctx) => ctx.forward(1) } })],
    [
      'timers',
      asking({
        timers: ['tick'],
        onStart: (_state, ctx) => ctx.setTimer('tick', 1),
        onTimer: (_state, _timer, ctx) => ctx.setTimer('tick', 1),
      }),
    ],
  ];

  test.each(endlessRuns)('%s without end', (_, algorithm) => {
    for (const schedule of ['lockstep', 'random'] as const) {
      const error = errorOf(algorithm, { ...ring, schedule, stepLimit: 5000 });
      expect(error.property).toBe('termination');
      expect(error.message).toMatch(
        /^trial violated termination: the run has not ended after 5000 events \(last event: node \d \(id \d\) at time [\d.]+, on (message <ask id=9>|timer 'tick')\)$/,
      );
    }
  });

  test('by default after far more events than any election of the catalogue takes', () => {
    const [, algorithm] = endlessRuns[0];
    const { plan } = new Run(algorithm, { nodes: 1000 });
    expect(plan.stepLimit).toBeGreaterThan((1000 * 1001) / 2 + 1000);
  });

  test('by default after a few hundred events for each link of a dense network', () => {
    const { stepLimit, topology } = new Run(bully, { nodes: 300 }).plan;
    expect(topology.edges).toBe((300 * 299) / 2);
    expect(stepLimit / topology.edges).toBeGreaterThan(500);
    expect(stepLimit / topology.edges).toBeLessThan(1000);
  });
});

/** A node that receives the token decides. */
function deciding(decide: (ctx: Ctx, origin: number) => void): AnyAlgorithm {
  return asking({
    on: {
      ask(_state, _port, message, ctx) {
        decide(ctx, message.id);
        if (message.id !== ctx.id) ctx.forward(1);
      },
    },
  });
}

describe('an invalid election is an error that names the event', () => {
  test('two leaders: the event that made the second', () => {
    const error = errorOf(deciding((ctx) => ctx.decide('leader')));
    expect(error.property).toBe('uniqueness');
    expect(error.message).toBe(
      'trial violated uniqueness at node 0 (id 7) at time 2, on message <ask id=9>: node 0 became the leader of ' +
        'term 0, which node 2 has led already',
    );
  });

  test('a decision that changes: the event that changed it', () => {
    const wavering = deciding((ctx) => {
      ctx.decide('follower', 9);
      if (ctx.id === 7) ctx.decide('follower', 8);
    });
    const error = errorOf(wavering);
    expect(error.property).toBe('agreement');
    expect(error.message).toContain(
      'trial violated agreement at node 0 (id 7) at time 2, on message <ask id=9>: ' +
        'node 0 was a follower of 9 and then became a follower of 8',
    );
  });

  test('no node decides, one does not decide, no node leads, two disagree', () => {
    const texts = [
      asking(),
      deciding(
        (ctx, origin) => ctx.id !== 8 && ctx.decide(ctx.id === origin ? 'leader' : 'follower', origin),
      ),
      deciding((ctx, origin) => ctx.decide('follower', origin)),
      deciding((ctx, origin) =>
        ctx.id === 9 ? ctx.decide('leader') : ctx.decide('follower', ctx.id === 7 ? 8 : origin),
      ),
    ].map((algorithm) => errorOf(algorithm).message.split(' (last event')[0]);
    expect(texts).toEqual([
      'trial violated termination: no node has decided',
      'trial violated termination: node 2 has not decided',
      'trial violated uniqueness: nobody leads',
      'trial violated agreement: node 0 is a follower of 8',
    ]);
  });

  test('a run that was cut says so', () => {
    const sound = deciding((ctx, origin) => ctx.decide(ctx.id === origin ? 'leader' : 'follower', origin));
    expect(simulate(sound, ring).leader).toEqual({ id: 9, position: 1 });
    expect(errorOf(sound, { ...ring, until: 1.5 }).message).toContain(
      'node 0 has not decided at time 1.5, where the run was cut (last event: node 2 (id 8) at time 1, on message <ask id=9>)',
    );
  });

  test('another run in between does not change the error', () => {
    const run = new Run(asking(), ring);
    while (!run.advance());
    const other = new Run(testAlgorithm({ messages: { a: message(), b: message() } }), { nodes: 2 });
    while (!other.advance());
    expect(() => run.outcome()).toThrow('(last event: node 2 (id 8) at time 1, on message)');
  });
});

describe('validity is a result', () => {
  const greedy = deciding((ctx) => ctx.decide('leader'));

  test('despite an assumption', () => {
    for (const observe of [undefined, () => {}]) {
      expect(simulate(greedy, { ...ring, despite: ['termination'], observe })).toMatchObject({
        leader: null,
        valid: { termination: true, uniqueness: false, agreement: false },
        despite: ['termination'],
      });
      expect(simulate(asking(), { ...ring, despite: ['termination'], observe })).toMatchObject({
        leader: null,
        valid: { termination: false, uniqueness: false, agreement: false },
        time: { electedAt: null, agreedAt: null },
      });
    }
  });

  test('but an assumption that the run does not violate has no effect', () => {
    expect(errorOf(greedy, { ...ring, despite: ['loss'] }).property).toBe('uniqueness');
  });

  test('if the algorithm may err: with two leaders or none', () => {
    const daring = { ...greedy, assumes: { ...greedy.assumes, mayErr: true as const } };
    expect(simulate(daring, ring).valid.uniqueness).toBe(false);
  });

  test('but a failing handler is still an error', () => {
    const broken = asking({ onStart: (_state, ctx) => ctx.send(7, 'ask', 1) });
    expect(errorOf(broken, { ...ring, despite: ['fifo'] }).property).toBe('handler');
  });
});

describe("an algorithm's own invariants", () => {
  const counting = (most: number) =>
    asking({
      state: { best: id() },
      on: {
        ask(state, _port, message, ctx) {
          state.best = message.id;
          ctx.decide(message.id === ctx.id ? 'leader' : 'follower', message.id);
          if (message.id !== ctx.id) ctx.forward(1);
        },
      },
      invariants: {
        node: {
          'known-ids-exist': {
            statement: 'A node knows ids that exist',
            holds: ({ state }) => Number(state.best) <= 9,
          },
        },
        network: {
          'few-know': {
            statement: 'Few nodes know the largest id',
            holds: ({ nodes }) => nodes.filter(({ state }) => state.best === 9).length <= most,
          },
        },
      },
    });

  test('are silent while they hold', () => {
    expect(simulate(counting(3), ring).leader?.id).toBe(9);
  });

  test('are told by name with the first event that broke them', () => {
    const error = errorOf(counting(1));
    expect(error.property).toBe('few-know');
    expect(error.message).toBe(
      'trial violated few-know at node 0 (id 7) at time 2, on message <ask id=9>: Few nodes know the largest id',
    );
  });

  test('are checked in networks of up to 32 nodes, in larger ones if the run asks for it', () => {
    const withNodes = (n: number) => ({ ids: Array.from({ length: n }, (_, k) => k), initiators: [9] });
    expect(errorOf(counting(20), withNodes(32)).property).toBe('few-know');
    expect(simulate(counting(20), withNodes(33)).leader?.id).toBe(9);
    expect(errorOf(counting(20), { ...withNodes(33), invariants: 'all' }).property).toBe('few-know');
    expect(simulate(counting(20), { ...withNodes(32), invariants: 'node' }).leader?.id).toBe(9);
  });

  test('can be chosen by name, and an unknown name is refused', () => {
    expect(errorOf(counting(1), { ...ring, invariants: ['few-know'] }).property).toBe('few-know');
    expect(simulate(counting(1), { ...ring, invariants: ['known-ids-exist'] }).leader?.id).toBe(9);
    expect(() => simulate(counting(1), { ...ring, invariants: ['few'] })).toThrow(
      "trial has no invariant 'few': it has known-ids-exist, few-know",
    );
  });

  test('do not hold where an assumption is broken on purpose', () => {
    expect(simulate(counting(1), { ...ring, despite: ['termination'] }).leader?.id).toBe(9);
  });
});
