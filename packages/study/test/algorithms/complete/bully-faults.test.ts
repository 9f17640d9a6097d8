/**
 * The bully under crashes, recoveries, false suspicion and message loss: Garcia-Molina 1982, with the steps of the
 * lecture notes of the National Institute of Technology Rourkela. Processes are 1..n at positions 0..n−1.
 */
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../test-kit/limits/effort.ts';
import { bully } from '../../../src/algorithms/index.ts';
import { ElectionError, InputError } from '../../../src/kernel/errors.ts';
import type { TraceEvent } from '../../../src/kernel/trace.ts';
import type { NodeFault } from '../../../src/simulator/faults/faults.ts';
import type { SimulateOptions } from '../../../src/simulator/plan/options.ts';
import { simulate } from '../../../src/simulator/simulate.ts';
import { violated } from '../errors.ts';
import { replayOf, run } from '../laws.ts';
import { ascending, positionSets } from '../orders.ts';

/** Runs the election and records its events. */
function watch(options: SimulateOptions) {
  const events: TraceEvent[] = [];
  const outcome = simulate(bully, { ...options, observe: (event) => events.push(event) });
  const leaders = events.flatMap((event) =>
    event.type === 'decide' && event.role === 'leader' ? [{ id: event.leader, term: event.term }] : [],
  );
  return { ...outcome, events, leaders };
}

function expectLargestLiveLeads(n: number, options: SimulateOptions): void {
  const { leader, dead } = run(bully, options);
  const live = ascending(n).filter((id) => !dead.includes(id - 1));
  if (leader?.id !== live.at(-1)) {
    throw new Error(`${leader?.id} leads, not ${live.at(-1)}; replay: ${replayOf(bully, options)}`);
  }
}

const halves = (from: number, to: number): number[] =>
  Array.from({ length: 2 * (to - from) + 1 }, (_, k) => from + k / 2);

describe('recovery', () => {
  test('a recovered n takes over at once with n−1 coordinator messages in 1 unit', () => {
    for (const n of [2, 3, 4, 8, 64]) {
      for (const i of new Set([1, 2, n - 1])) {
        const options = {
          ids: ascending(n),
          initiators: [i - 1],
          crash: [{ position: n - 1, time: 0 }],
          recover: [{ position: n - 1, time: 10 }],
        };
        const { leader, messages, time } = run(bully, options);
        expect([leader?.id, messages.announcement]).toEqual([n, n - 2 + (n - 1)]);
        expect([time.electedAt, time.agreedAt]).toEqual([10, 11]);
      }
    }
  });

  test('"processes initiate an election if just recovered": a smaller one learns the coordinator it missed', () => {
    const { leader, messages, time } = run(bully, {
      ids: ascending(5),
      initiators: [2],
      crash: [{ position: 0, time: 0 }],
      recover: [{ position: 0, time: 10 }],
    });
    // 5 leads term 3 since 1. The call of 1 is of term 1: all only answer, with term 3. It waits 2T, calls term 6, and
    // all take part in that election; 5 leads it as soon as it is called.
    expect([leader?.id, time.agreedAt]).toEqual([5, 18]);
    expect(messages.byType).toEqual({ election: 3 + 4 + 10, answer: 3 + 4 + 10, coordinator: 4 + 4 });
  });

  test('n announces itself again, above the term that it missed, when it learns that term', () => {
    // 5 has crashed while 4 leads term 2, then, after a recovery, term 4, and later term 9.
    const { leader, leaders, time } = watch({
      ids: ascending(5),
      initiators: [1],
      crash: [
        { position: 4, time: 0 },
        { position: 3, time: 5 },
        { position: 3, time: 15 },
      ],
      recover: [
        { position: 3, time: 10 },
        { position: 3, time: 20 },
        { position: 4, time: 30 },
      ],
    });
    expect(leaders).toEqual([
      { id: 4, term: 2 },
      { id: 4, term: 4 },
      { id: 4, term: 9 },
      { id: 5, term: 5 },
      { id: 5, term: 10 },
    ]);
    expect([leader?.id, time.electedAt, time.agreedAt]).toEqual([5, 32, 33]);
  });

  test('a process that recovers during an election leads no term of another process: it may have missed a call', () => {
    // 1 calls term 6 again at 11.5, before 4 has recovered; 3, which got no answer from 4, leads it, and 4 must not.
    const { leader, leaders } = watch({
      ids: ascending(5),
      initiators: [
        { position: 1, time: 3.5 },
        { position: 0, time: 5.5 },
      ],
      crash: [
        { position: 4, time: 2 },
        { position: 1, time: 4 },
        { position: 3, time: 6 },
      ],
      recover: [{ position: 3, time: 12 }],
    });
    expect(leaders).toEqual([
      { id: 3, term: 6 },
      { id: 4, term: 9 },
    ]);
    expect(leader?.id).toBe(4);
  });
});

describe('one crash at any time', () => {
  const MAX_NODES = effort({ quick: 3, full: 4 });
  const MOMENTS = halves(0, 10);

  function* crashes(most: number): Generator<SimulateOptions & { n: number; crash: NodeFault[] }> {
    for (let n = 2; n <= most; n++) {
      for (const initiators of n < 5 ? positionSets(n) : [[0], [1], [2], [3], [4], [0, 2], [0, 1, 2, 3, 4]]) {
        for (let position = 0; position < n; position++) {
          for (const time of MOMENTS) {
            const fault = { position, time };
            yield { n, ids: ascending(n), initiators, crash: [fault] };
            if (position < n - 1) {
              const crash = [{ position: n - 1, time: 0 }, fault];
              yield { n, ids: ascending(n), initiators, crash };
            }
          }
        }
      }
    }
  }

  test(`and a recovery at any later time: the largest live process leads, known to all; n up to ${MAX_NODES}`, () => {
    let runs = 0;
    for (const { n, ...options } of crashes(MAX_NODES)) {
      const { position, time } = options.crash[options.crash.length - 1];
      for (const later of halves(time + 0.5, Math.max(14, time + 1))) {
        expectLargestLiveLeads(n, { ...options, recover: [{ position, time: later }] });
        runs++;
      }
    }
    expect(runs).toBeGreaterThan(effort({ quick: 2_000, full: 10_000 }));
  });

  test('without a recovery: the same, unless the process already led or was the only detector', () => {
    let [inOffice, untold] = [0, 0];
    for (const { n, ...options } of crashes(MAX_NODES + 1)) {
      const { position } = options.crash[options.crash.length - 1];
      const events: TraceEvent[] = [];
      const observe = (event: TraceEvent) => events.push(event);
      try {
        expectLargestLiveLeads(n, { ...options, observe });
      } catch (error) {
        if (error instanceof InputError && error.message.includes('must be alive')) {
          untold++;
          continue;
        }
        if (!(error instanceof ElectionError)) throw error;
        const led = events.some(
          ({ node, ...event }) => node === position && event.type === 'decide' && event.role === 'leader',
        );
        if (led && error.property === 'uniqueness') inOffice++;
        else if (!events.some(({ type }) => type === 'deliver') && error.property === 'termination') untold++;
        else throw error;
      }
    }
    expect(inOffice).toBeGreaterThan(0);
    expect(untold).toBeGreaterThan(0);
  });

  test('"if there is no Victory message after a period of time, it restarts the process": the winner crashes first', () => {
    const { leaders, time } = watch({
      ids: ascending(4),
      initiators: [0],
      crash: [
        { position: 3, time: 0 },
        { position: 2, time: 2.5 },
      ],
    });
    // 2 has the answer of 3 at 3, waits 2T, calls its term 6 at 7 and leads it at 7 + T.
    expect(leaders).toEqual([{ id: 2, term: 6 }]);
    expect([time.electedAt, time.agreedAt]).toEqual([9, 10]);
  });

  test('the crash of a coordinator has no effect until a process detects it or recovers', () => {
    const options = {
      ids: ascending(5),
      initiators: [1],
      crash: [
        { position: 4, time: 0 },
        { position: 3, time: 8 },
        { position: 0, time: 12 },
      ],
    };
    expect(() => simulate(bully, options)).toThrow(violated('uniqueness'));
    expectLargestLiveLeads(5, { ...options, recover: [{ position: 0, time: 13 }] });
  });
});

describe('what is not guaranteed', () => {
  test('a timeout shorter than a round trip: three processes lead term 1, and in the end the largest of them leads', () => {
    const { leader, leaders, valid } = watch({
      ids: ascending(4),
      initiators: [0],
      set: { timeout: 1 },
      despite: ['timing'],
    });
    expect(leaders).toEqual([
      { id: 1, term: 1 },
      { id: 2, term: 1 },
      { id: 3, term: 1 },
    ]);
    expect(valid.uniqueness).toBe(false);
    expect(leader?.id).toBe(3);
  });

  test('with delays from 0.05 to 3 and a timeout of 2 that happens often, but all end with the largest', () => {
    let breaches = 0;
    for (let seed = 1; seed <= randomRuns(300); seed++) {
      const { leader, valid } = simulate(bully, {
        ids: ascending(6),
        initiators: [0],
        schedule: 'random',
        seed,
        set: { timeout: 2 },
        despite: ['timing'],
      });
      if (!valid.uniqueness) breaches++;
      expect(leader?.id).toBe(5);
    }
    expect(breaches).toBeGreaterThan(randomRuns(300) / 10);
  });

  test('a lost message: some processes may follow none or an old coordinator; most elections succeed', () => {
    let valid = 0;
    for (let seed = 1; seed <= randomRuns(300); seed++) {
      const outcome = simulate(bully, { ids: ascending(5), loss: 0.1, seed, despite: ['loss'] });
      if (Object.values(outcome.valid).every(Boolean)) valid++;
    }
    expect(valid).toBeGreaterThan(randomRuns(300) / 2);
    expect(valid).toBeLessThan(randomRuns(300));
  });

  test('a partition: each side has a coordinator, also after the partition heals, until a process calls an election', () => {
    const options: SimulateOptions = {
      ids: ascending(4),
      crash: 'none',
      partition: [
        {
          groups: [
            [0, 1],
            [2, 3],
          ],
          from: 0,
          until: 20,
        },
      ],
      despite: ['partition'],
    };
    const { leaders, valid } = watch(options);
    expect(leaders.map(({ id }) => id).sort()).toEqual([2, 4]);
    expect(valid).toEqual({ termination: true, uniqueness: true, agreement: false });
    const next = simulate(bully, {
      ...options,
      crash: [{ position: 0, time: 21 }],
      recover: [{ position: 0, time: 22 }],
    });
    expect(next.valid).toEqual({ termination: true, uniqueness: true, agreement: true });
    expect(next.leader?.id).toBe(4);
  });
});
