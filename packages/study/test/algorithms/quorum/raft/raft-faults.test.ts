/**
 * Raft's election under crashes, recoveries, loss, duplication, reordering and partitions: Ongaro and Ousterhout
 * 2014, section 5; Ongaro's thesis, sections 4.2.3, 6.2, 6.4.1 and 9.6.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { raft } from '../../../../src/algorithms/index.ts';
import type { TraceEvent } from '../../../../src/kernel/trace.ts';
import type { NodeFault, Partition } from '../../../../src/simulator/faults/faults.ts';
import type { SimulateOptions } from '../../../../src/simulator/plan/options.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { violated } from '../../errors.ts';
import { ascending } from '../../orders.ts';

/**
 * Runs the election event by event and records the events and the largest number of leaders at the same time.
 */
function watch(options: SimulateOptions) {
  const events: TraceEvent[] = [];
  const election = new Run(raft, { ...options, observe: (event) => events.push(event) });
  const nodes = election.simulation.machine.views();
  const leading = () => nodes.filter(({ role }) => role === 'leader').length;
  let most = 0;
  let since = -1;
  for (let over = false; !over; ) {
    over = election.advance(1);
    if (leading() > 1 && since < 0) since = events.at(-1)?.time ?? -1;
    most = Math.max(most, leading());
  }
  const leaders = events.flatMap((event) =>
    event.type === 'decide' && event.role === 'leader'
      ? [{ node: event.node, term: event.term, time: event.time }]
      : [],
  );
  return { ...election.outcome(), events, leaders, most, nodes, since };
}

/** Isolated on its side of the partition. */
const without = (position: number, n: number, from: number, until: number): Partition => ({
  groups: [
    [position],
    ascending(n)
      .map((id) => id - 1)
      .filter((other) => other !== position),
  ],
  from,
  until,
});

const FIVE: SimulateOptions = { ids: ascending(5), initiators: [0], seed: 3 };
/** Position 0 leads from 20 to 44; 2T = 20, S = 20. */
const cutOff = (set: NonNullable<SimulateOptions['set']>) =>
  watch({ ...FIVE, set, partition: [without(0, 5, 60, 200)], until: 300 });

describe('a leader that is cut off', () => {
  test('steps down 2T after the last acknowledged heartbeat, before another node leads', () => {
    const { events, leaders, leader, most } = cutOff({});
    const heard = events.filter(
      ({ type, node, time, ...event }) =>
        type === 'deliver' &&
        node === 0 &&
        time < 60 &&
        'message' in event &&
        event.message.type === 'acknowledge',
    );
    const last = Math.max(...heard.map(({ time }) => time)) - 2;
    const beats = events.filter(
      ({ type, node, ...event }) =>
        type === 'send' && node === 0 && 'message' in event && event.message.type === 'heartbeat',
    );
    const lastBeat = Math.max(...beats.map(({ time }) => time));
    expect(leaders.map(({ term }) => term)).toEqual([1, 2]);
    expect(lastBeat).toBeLessThan(last + 20);
    expect(leaders[1].time).toBeGreaterThan(last + 20);
    expect([most, leader?.position]).toEqual([1, leaders[1].node]);
  });

  test('without check quorum it leads its old term beside the new leader, until it learns the new term', () => {
    const { leaders, leader, most, since } = cutOff({ checkQuorum: false });
    expect([most, since]).toEqual([2, leaders[1].time]);
    expect(leader?.position).toBe(leaders[1].node);
  });

  test('follows the new leader when the partition has healed, at the next heartbeat', () => {
    const { events, leaders } = cutOff({});
    const follows = events.find(
      ({ type, node, time, ...event }) => type === 'decide' && node === 0 && time > 60 && 'role' in event,
    );
    expect(follows).toMatchObject({ role: 'follower', term: 2, leader: leaders[1].node + 1 });
    expect(follows?.time).toBeLessThan(200 + 5 + 1);
  });
});

describe('a node that was cut off and returns', () => {
  const rejoining = (set: NonNullable<SimulateOptions['set']>) =>
    watch({ ...FIVE, set, partition: [without(4, 5, 60, 200)], until: 300 });

  test('with pre-vote has kept its term and does not disrupt the leader', () => {
    const { leaders, leader, nodes } = rejoining({});
    expect(leaders.map(({ node, term }) => [node, term])).toEqual([[0, 1]]);
    expect([leader?.position, nodes[4].term]).toEqual([0, 1]);
  });

  test('without pre-vote has incremented its term repeatedly, and the leader steps down', () => {
    for (const lease of [true, false]) {
      const { leaders } = rejoining({ prevote: false, lease });
      expect(leaders.length).toBeGreaterThan(1);
      expect(leaders[1].term).toBeGreaterThan(3);
      expect(leaders[1].time).toBeGreaterThan(200);
    }
  });
});

test('a minority elects no leader: three of five have crashed', () => {
  const crash = [1, 2, 3].map((position) => ({ position, time: 0 }));
  expect(() => simulate(raft, { ids: ascending(5), crash })).toThrow(violated('termination'));
  const recover = [{ position: 2, time: 100 }];
  expect(simulate(raft, { ids: ascending(5), crash, recover }).leader).not.toBeNull();
});

interface Scenario {
  readonly options: SimulateOptions;
  readonly healed: number;
}

const SETS = fc.record({
  prevote: fc.boolean(),
  checkQuorum: fc.boolean(),
  lease: fc.boolean(),
  heartbeats: fc.constantFrom(2, 3, 4),
});

/** Up to seven nodes; crashes, recoveries, partitions and failed links until a last time. */
const anyScenario: fc.Arbitrary<Scenario> = fc.integer({ min: 1, max: 7 }).chain((n) => {
  const position = fc.nat(n - 1);
  const time = fc.nat(480).map((quarters) => quarters / 4);
  const aWhile = fc.integer({ min: 1, max: 160 }).map((quarters) => quarters / 4);
  return fc
    .record({
      downs: fc.array(fc.record({ position, time, away: aWhile }), { maxLength: 5 }),
      gone: fc.uniqueArray(fc.record({ position, time }), {
        maxLength: Math.ceil(n / 2) - 1,
        selector: (one) => one.position,
      }),
      parts: fc.array(
        fc.record({ sides: fc.array(fc.nat(1), { minLength: n, maxLength: n }), from: time, for: aWhile }),
        {
          maxLength: 3,
        },
      ),
      schedule: fc.constantFrom<SimulateOptions['schedule'][]>('lockstep', 'random', 'random:nofifo'),
      duplicate: fc.constantFrom(0, 0.2),
      seed: fc.nat(1_000_000),
      set: SETS,
    })
    .map(({ downs, gone, parts, schedule, duplicate, seed, set }) => {
      const crash: NodeFault[] = [...downs, ...gone].map((fault) => ({
        position: fault.position,
        time: fault.time,
      }));
      const recover = downs.map((fault) => ({ position: fault.position, time: fault.time + fault.away }));
      const partition = parts.map(({ sides, from, for: units }) => ({
        groups: [0, 1].map((side) => [...sides.keys()].filter((at) => sides[at] === side)),
        from,
        until: from + units,
      }));
      const times = [...crash, ...recover]
        .map((fault) => fault.time)
        .concat(partition.map(({ until }) => until));
      const healed = Math.max(0, ...times);
      const ids = ascending(n);
      return { healed, options: { ids, schedule, seed, crash, recover, partition, duplicate, set } };
    });
});

describe('any number of crashes, recoveries, partitions, losses, duplicates and reordered messages at any time', () => {
  test('after the last fault one node leads in the end, known to all live nodes', () => {
    const tally = { scenarios: 0, crash: 0, recovery: 0, partition: 0, duplication: 0, loss: 0 };
    fc.assert(
      fc.property(anyScenario, fc.constantFrom(0, 0.1, 0.4), ({ options, healed }, loss) => {
        const election = new Run(raft, { ...options, loss, lossUntil: healed, until: healed + 320 });
        while (!election.advance());
        election.outcome();
        const { machine } = election.simulation;
        const leading = machine.views().filter(({ role }) => role === 'leader');
        if (leading.length !== 1)
          throw new Error(`${leading.length} lead in the end; replay: ${election.plan.replay}`);
        tally.scenarios++;
        if (options.crash?.length) tally.crash++;
        if (options.recover?.length) tally.recovery++;
        if (options.partition?.length) tally.partition++;
        if (options.duplicate) tally.duplication++;
        if (loss > 0 && healed > 0) tally.loss++;
      }),
      { numRuns: randomRuns(2500), seed: 2014 },
    );
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(tally.scenarios / 5);
  });

  test('no two nodes lead the same term and no decision changes within a term, even while messages are lost', () => {
    fc.assert(
      fc.property(anyScenario, fc.constantFrom(0.02, 0.1, 0.3), ({ options, healed }, loss) => {
        const election = new Run(raft, { ...options, loss, until: healed + 100, despite: ['termination'] });
        while (!election.advance());
        const { breach } = election.simulation;
        if (breach !== null) throw new Error(`${breach.text}; replay: ${election.plan.replay}`);
      }),
      { numRuns: randomRuns(2500), seed: 2015 },
    );
  });

  test('with check quorum and lease no two nodes lead at the same time, even while messages are lost', () => {
    fc.assert(
      fc.property(anyScenario, fc.constantFrom(0, 0.1), ({ options, healed }, loss) => {
        const set = { ...options.set, checkQuorum: true, lease: true };
        const election = new Run(raft, {
          ...options,
          set,
          loss,
          until: healed + 100,
          despite: ['termination'],
        });
        const nodes = election.simulation.machine.views();
        while (!election.advance(1)) {
          if (nodes.filter(({ role }) => role === 'leader').length > 1)
            throw new Error(`two lead at ${election.simulation.now / 1000}; replay: ${election.plan.replay}`);
        }
      }),
      { numRuns: randomRuns(1000), seed: 2016 },
    );
  });
});
