import { describe, expect, test } from 'vitest';
import { effort } from '../../../../test-kit/limits/effort.ts';
import { registry } from '../../src/algorithms/registry.ts';
import {
  announcement,
  choice,
  counter,
  flag,
  id,
  ids,
  type Messages,
  message,
} from '../../src/kernel/index.ts';
import { type Outcome, type SimulateOptions, simulate, type TraceEvent } from '../../src/simulator/index.ts';
import { eventsOf, testAlgorithm } from './test-algorithm.ts';

/** At least one run of each size from 1 to 13. */
const SEEDS = effort({ quick: 13, full: 20 });

/** Node 0 sends one message of each type to the other node of a line, and leads. */
const talking = testAlgorithm({
  messages: {
    plain: message(),
    named: message(['id', id()], ['count', counter(10)]),
    said: message(['sure', flag()], ['colour', choice(['red', 'green', 'blue'])]),
    listed: announcement(['path', ids()], ['leader', id()]),
  },
  onStart(_state, ctx) {
    ctx.send(0, 'plain');
    ctx.send(0, 'named', 3, 10);
    ctx.send(0, 'said', true, 'blue');
    ctx.send(0, 'listed', [3, 9], 3);
    ctx.send(0, 'listed', [], 3);
    ctx.decide('leader');
  },
  on: { listed: (_state, _port, { leader }, ctx) => ctx.decide('follower', leader) },
});
const line = { ids: [3, 9], topology: 'line', initiators: [0] } as const;

describe('the measurements', () => {
  test('count bits: type, ids, counters, flags, choices, and lists with their length', () => {
    // Four types: 2 bits each. Ids up to 9: 4. Counters up to 10: 4. Flag: 1. Three colours: 2. Lists of up to 2: 2.
    const plain = 2;
    const named = 2 + 4 + 4;
    const said = 2 + 1 + 2;
    const listed = 2 + 2 + 4;
    const inLists = 2 * 4;
    for (const observe of [undefined, () => {}]) {
      const { bits, messages } = simulate(talking, { ...line, observe });
      expect(bits).toBe(plain + named + said + 2 * listed + inLists);
      expect(messages).toEqual({
        total: 5,
        election: 3,
        announcement: 2,
        byType: { plain: 1, named: 1, said: 1, listed: 2 },
      });
    }
  });

  test('count the messages sent before a cut, whether they arrived or not', () => {
    for (const observe of [undefined, () => {}]) {
      for (const until of [0, 0.5, 0.999]) {
        const cut = simulate(talking, { ...line, until, despite: ['termination'], observe });
        expect(cut.messages.total).toBe(5);
        expect(cut.time).toEqual({ electedAt: 0, agreedAt: null, announcementReturnedAt: null, causal: 0 });
        expect(cut.valid).toEqual({ termination: false, uniqueness: true, agreement: false });
      }
      expect(simulate(talking, { ...line, until: 1, observe }).time).toMatchObject({
        agreedAt: 1,
        causal: 1,
      });
    }
  });
});

/** The longest chain of messages, computed from the lines of the trace only. */
function chainOf(events: readonly TraceEvent[]): number {
  const depths = new Map<number, number>();
  const flying = new Map<string, number[]>();
  const key = (from: number, to: number, sent: number, text: unknown) =>
    JSON.stringify([from, to, sent, text]);
  for (const event of events) {
    if (event.type === 'send') {
      const name = key(event.node, event.to, event.time, event.message);
      flying.set(name, [...(flying.get(name) ?? []), (depths.get(event.node) ?? 0) + 1]);
    } else if (event.type === 'deliver') {
      const chains = flying.get(key(event.from, event.node, event.sent, event.message)) ?? [];
      depths.set(event.node, Math.max(depths.get(event.node) ?? 0, chains.shift() as number));
    }
  }
  return Math.max(0, ...depths.values());
}

/** The decisions of all nodes, without repeated ones. */
function decisionsIn(events: readonly TraceEvent[]): TraceEvent[] {
  const decided = new Map<number, string>();
  return events.filter((event) => {
    if (event.type !== 'decide') return false;
    const decision = JSON.stringify([event.role, event.leader, event.term]);
    if (decided.get(event.node) === decision) return false;
    decided.set(event.node, decision);
    return true;
  });
}

describe.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, algorithm) => {
  const schedules = algorithm.assumes.timing === 'synchronous' ? ['lockstep'] : ['lockstep', 'random'];
  test.each(schedules as ('lockstep' | 'random')[])(
    'has the causal time of its trace, under %s; in lockstep without timers that is the time',
    (schedule) => {
      const set = 'timeout' in algorithm.params ? { timeout: 6 } : {};
      for (let seed = 1; seed <= SEEDS; seed++) {
        const options: SimulateOptions = { nodes: 1 + (seed % 13), seed, schedule, set };
        const events = eventsOf(algorithm, options);
        const { time } = simulate(algorithm, options);
        expect(time.causal).toBe(chainOf(events));
        if (schedule === 'lockstep' && algorithm.timers === undefined) {
          expect(time.causal).toBe(Math.max(0, ...events.map((event) => event.time)));
        }
      }
    },
  );

  test('has the decision times of its trace, and returns with the last announcement', () => {
    const set = 'timeout' in algorithm.params ? { timeout: 6 } : {};
    for (let seed = 1; seed <= SEEDS; seed++) {
      const schedule = algorithm.assumes.timing === 'synchronous' ? 'lockstep' : 'random';
      const options: SimulateOptions = { nodes: 1 + (seed % 13), seed, schedule, set };
      const { leader, time, topology } = simulate(algorithm, options);
      const events = eventsOf(algorithm, options);
      const decided = decisionsIn(events);
      const messages: Messages = algorithm.messages;
      const announced = new Set(Object.keys(messages).filter((type) => messages[type].announces));
      const arrived = events.filter((event) => event.type === 'deliver' && announced.has(event.message.type));
      const last = (list: readonly TraceEvent[]) => Math.max(...list.map((event) => event.time));
      expect(time.agreedAt).toBe(last(decided));
      const byLeader = decided.filter(({ node }) => node === leader?.position);
      // Only an algorithm that may err may end without a leader.
      const isLed = leader !== null || algorithm.assumes.mayErr !== true;
      expect(time.electedAt).toBe(isLed ? last(byLeader) : null);
      // An algorithm that may err announces each estimate, not only once.
      const announcesOnce = algorithm.overlay === undefined && algorithm.assumes.mayErr !== true;
      const goesHome = topology === 'ring' && arrived.length > 0;
      if (announcesOnce) expect(time.announcementReturnedAt).toBe(goesHome ? last(arrived) : null);
    }
  });
});

describe('a single node', () => {
  const alone = (name: string, options: SimulateOptions = {}): Outcome =>
    simulate(registry.find((algorithm) => algorithm.name === name)!, { nodes: 1, ...options });

  test('on a ring sends to itself, and its messages are counted', () => {
    expect(alone('chang-roberts')).toMatchObject({
      messages: { total: 2, election: 1, announcement: 1 },
      time: { electedAt: 1, agreedAt: 1, announcementReturnedAt: 2, causal: 2 },
      bits: 4,
    });
    for (const schedule of ['random', 'random:nofifo'] as const) {
      expect(alone('chang-roberts', { schedule }).messages.total).toBe(2);
    }
  });

  test.each(['echo-election', 'bully'])('on a graph sends nothing and leads at 0: %s', (name) => {
    const { leader, messages, time } = alone(name, { crash: 'none' });
    expect(leader).toEqual({ id: 1, position: 0 });
    expect(messages.total).toBe(0);
    expect(time.announcementReturnedAt).toBeNull();
    if (name === 'echo-election') expect(time).toMatchObject({ electedAt: 0, agreedAt: 0, causal: 0 });
  });
});
