/**
 * The lease of Raft under faults that are aimed at it: partitions that follow each other faster than a lease ends, and
 * restarts of voters. At every event at most one live node is the leader. Each mutant differs from the algorithm in one line.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { effort } from '../../../../../../test-kit/limits/effort.ts';
import { raft } from '../../../../src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../../../src/kernel/index.ts';
import { Random } from '../../../../src/kernel/random.ts';
import type { TraceEvent } from '../../../../src/kernel/trace.ts';
import type { NodeFault, Partition } from '../../../../src/simulator/faults/faults.ts';
import type { SimulateOptions } from '../../../../src/simulator/plan/options.ts';
import { Run } from '../../../../src/simulator/simulate.ts';
import { planted } from '../../../verification/mutant-source.ts';

const RUNS = effort({ quick: 150, full: 500 });

const T = 6;
const UNTIL = 600;
const POSITIONS = [0, 1, 2];
/** A node is down for this long when it restarts. */
const DOWN = 0.1;

const COMMON = { ids: [1, 2, 3], despite: ['termination'] } as const satisfies SimulateOptions;

/** One node at a time is cut off; in every second run one node at a time restarts. */
function scenarioOf(seed: number): SimulateOptions {
  const random = new Random(seed, 'lease');
  const partition: Partition[] = [];
  for (let from = 3 * T; from < UNTIL; ) {
    const until = from + 1 + random.below((seed % 7 < 3 ? 3 : 6) * T);
    const alone = random.below(4);
    const others = POSITIONS.filter((position) => position !== alone);
    partition.push({ groups: alone === 3 ? [others] : [[alone], others], from, until });
    from = until;
  }
  const crash: NodeFault[] = [];
  if (seed % 2 === 1) {
    for (let time = 2 * T; time < UNTIL; time += 1 + random.below(2 * T))
      crash.push({ position: random.below(3), time });
  }
  return {
    ...COMMON,
    schedule: seed % 4 < 2 ? 'random' : 'lockstep',
    set: { timeout: T, spread: T, heartbeats: 2 + (seed % 3), prevote: seed % 5 !== 0 },
    ...{ seed, partition, crash, recover: restartsAfter(crash), until: UNTIL },
  };
}

const restartsAfter = (crash: readonly NodeFault[]): NodeFault[] =>
  crash.map(({ position, time }) => ({ position, time: time + DOWN }));

interface Watched {
  /** The first time at which two live nodes were leaders; null if there was none. A crash resets the role of a node. */
  readonly overlap: number | null;
  readonly events: readonly TraceEvent[];
}

function watch(algorithm: AnyAlgorithm, options: SimulateOptions): Watched {
  const events: TraceEvent[] = [];
  const run = new Run(algorithm, { ...options, observe: (event) => events.push(event) });
  const nodes = run.simulation.machine.views();
  while (!run.advance(1)) {
    if (nodes.filter(({ role }) => role === 'leader').length > 1)
      return { overlap: run.simulation.now / 1000, events };
  }
  return { overlap: null, events };
}

const leadsIn = (events: readonly TraceEvent[]) =>
  events.flatMap((event) => (event.type === 'decide' && event.role === 'leader' ? [event] : []));

/** The first of the runs in which two nodes are leaders at once. */
function firstOverlap(algorithm: AnyAlgorithm, runs: number): number | null {
  for (let seed = 1; seed <= runs; seed++)
    if (watch(algorithm, scenarioOf(seed)).overlap !== null) return seed;
  return null;
}

const RECOVERED_IS_FREE = ['if (ctx.params.lease) promise(state, ctx); // R10', ''] as const;

const MUTANTS = [
  [
    'the leader counts any old acknowledgement',
    ['Math.max(1, state.round - ctx.params.heartbeats + 1)', '1'],
  ],
  [
    'the leader counts the acknowledgements of one round too many',
    ['state.round - ctx.params.heartbeats + 1', 'state.round - ctx.params.heartbeats'],
  ],
  [
    'a promise lasts T, not 2T',
    ["ctx.setTimer('promise', 2 * ctx.params.timeout)", "ctx.setTimer('promise', ctx.params.timeout)"],
  ],
  ['a recovered node does not promise', RECOVERED_IS_FREE],
] as const;

test('docs/checked.md lists these mutants', () => {
  const page = readFileSync(new URL('../../../../../../docs/checked.md', import.meta.url), 'utf8');
  for (const [name] of MUTANTS) expect(page).toContain(`| ${name} | simulation: two leaders at once |`);
});

describe('at most one live node is the leader now', () => {
  test(`in ${RUNS} runs, in which nodes become leaders more than ${4 * RUNS} times`, () => {
    let leads = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      const { overlap, events } = watch(raft, scenarioOf(seed));
      expect([seed, overlap]).toEqual([seed, null]);
      leads += leadsIn(events).length;
    }
    expect(leads).toBeGreaterThan(4 * RUNS);
  }, 120_000);

  test.each(MUTANTS)(
    'but not if %s',
    async (_, line) => {
      expect(firstOverlap(await planted(raft, line), 500)).not.toBeNull();
    },
    120_000,
  );

  test('also if a leader steps down on a request for its vote: that costs a leader, not the lease', async () => {
    const hesitant = await planted(raft, ["state.promised || state.role === 'leader'", 'state.promised']);
    expect(firstOverlap(hesitant, 200)).toBeNull();
  }, 120_000);
});

describe('a voter that restarts just after it has voted', () => {
  const [CANDIDATE, VOTER, THIRD] = POSITIONS;

  /**
   * The candidate wins with the vote of one node while the third is cut off. The voter restarts as soon as its vote has left;
   * then the new leader is cut off, and the third node asks the voter.
   */
  function afterVote(algorithm: AnyAlgorithm, seed: number): Watched {
    const set = { timeout: T, spread: 3 * T, heartbeats: 2 + (seed % 3), prevote: seed % 2 === 0 };
    const until = 20 * T;
    const options: SimulateOptions = { ...COMMON, initiators: [CANDIDATE, THIRD], seed, set, until };
    const cutOff = (position: number, from: number, end: number): Partition => ({
      groups: [[position], POSITIONS.filter((other) => other !== position)],
      ...{ from, until: end },
    });
    const [{ time }] = leadsIn(watch(raft, { ...options, partition: [cutOff(THIRD, 0, until)] }).events);
    // In lockstep the vote left one unit before.
    const crash = [{ position: VOTER, time: time - 1 + DOWN }];
    const partition = [cutOff(THIRD, 0, time + DOWN), cutOff(CANDIDATE, time + DOWN, until)];
    return watch(algorithm, { ...options, crash, recover: restartsAfter(crash), partition });
  }

  test('votes for no other node for 2T, and then for the next leader', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const { overlap, events } = afterVote(raft, seed);
      const terms = new Set(leadsIn(events).map(({ term }) => term));
      expect([seed, overlap, terms.size > 1]).toEqual([seed, null, true]);
    }
  });

  test('but two nodes are leaders at once if a recovered node does not promise', async () => {
    const forgetful = await planted(raft, RECOVERED_IS_FREE);
    const overlaps = Array.from({ length: 100 }, (_, seed) => afterVote(forgetful, seed + 1).overlap);
    expect(overlaps.some((overlap) => overlap !== null)).toBe(true);
  });
});
