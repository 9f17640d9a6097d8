/**
 * The rings whose processes know the order of the ring, under crashes and recoveries before, during and after the
 * election, simultaneous detection, and loss. The sources say only that a crashed successor is skipped; the rest is
 * C1 to C6 of coordinator.ts.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../test-kit/limits/effort.ts';
import { ringList, ringMax } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/algorithm.ts';
import { ElectionError } from '../../../src/kernel/errors.ts';
import type { TraceEvent } from '../../../src/kernel/trace.ts';
import type { SimulateOptions } from '../../../src/simulator/plan/options.ts';
import { simulate } from '../../../src/simulator/simulate.ts';
import { ascending, positionSets, ringOrders, shuffled } from '../orders.ts';
import { anyCrashes, breachOf, expectLargestLiveLeads, watch } from './ring-map-runs.ts';

const MAX_NODES = effort({ quick: 3, full: 4 });
/** The units between two moments at which a process crashes or recovers. */
const STEP = effort({ quick: 1, full: 0.5 });

const five = { ids: ascending(5) };

function timesOf(events: readonly TraceEvent[], wanted: (event: TraceEvent) => boolean): [number, number][] {
  return events.filter(wanted).map(({ time, node }) => [time, node]);
}

/** Where and when elections are called: an election message whose sender is its initiator. */
function callsOf(events: readonly TraceEvent[]): [number, number][] {
  return timesOf(
    events,
    (event) =>
      event.type === 'send' &&
      event.message.type === 'election' &&
      event.port === 1 &&
      (event.message.ids !== undefined
        ? (event.message.ids as number[]).length === 1
        : event.message.initiator === five.ids[event.node]),
  );
}

describe.each([
  ['ring-list', ringList],
  ['ring-max', ringMax],
] as const)('%s', (_name, algorithm) => {
  describe('one crash during the election', () => {
    test('of the initiator, while its message is in flight: the process that finds it crashed calls an election', () => {
      const { events, leader } = watch(algorithm, {
        ...five,
        initiators: [1],
        crash: [{ position: 1, time: 1.5 }],
      });
      // The message of 1 reaches 0 at 4, which finds 1 crashed at 4 + T.
      expect(callsOf(events)).toEqual([
        [0, 1],
        [6, 0],
      ]);
      expect(leader?.id).toBe(5);
    });

    test('of the future coordinator, before its announcement arrives: the process that finds it crashed calls an election', () => {
      const { events, leader, leaders } = watch(algorithm, {
        ...five,
        initiators: [1],
        crash: [{ position: 4, time: 6 }],
      });
      // The announcement leaves at 5, reaches 3 at 7, and 4 is found crashed at 7 + T.
      expect(callsOf(events)).toEqual([
        [0, 1],
        [9, 3],
      ]);
      expect([leader?.id, leaders.length]).toEqual([4, 1]);
    });

    test('of the initiator that is also the coordinator, while its announcement is in flight: the last receiver calls an election', () => {
      const { events, leader } = watch(algorithm, {
        ...five,
        initiators: [4],
        crash: [{ position: 4, time: 6.5 }],
      });
      expect(callsOf(events)).toEqual([
        [0, 4],
        [11, 3],
      ]);
      expect(leader?.id).toBe(4);
    });

    test('of sender and receiver of a message, so that it is lost: a process that waits without success calls an election', () => {
      const { events, leader } = watch(algorithm, {
        ...five,
        initiators: [0],
        crash: [
          { position: 1, time: 1.5 },
          { position: 2, time: 1.5 },
        ],
      });
      // The timeout is 2nT.
      expect(callsOf(events)).toEqual([
        [0, 0],
        [20, 0],
      ]);
      expect(leader?.id).toBe(5);
    });

    test('no needless call: no process calls twice, and a crashed coordinator that a process detects is replaced', () => {
      const { events, leaders } = watch(algorithm, {
        ...five,
        initiators: [
          { position: 0, time: 0 },
          { position: 1, time: 0 },
          { position: 2, time: 30 },
        ],
        crash: [{ position: 4, time: 20 }],
      });
      expect(callsOf(events)).toEqual([
        [0, 0],
        [0, 1],
        [30, 2],
      ]);
      expect(new Set(leaders.map(({ id }) => id))).toEqual(new Set([5, 4]));
    });

    test('a process in an election calls no other when it detects the crash of the coordinator', () => {
      const wakes = [
        { position: 0, time: 0 },
        { position: 2, time: 3 },
      ];
      expect(callsOf(watch(algorithm, { ...five, initiators: wakes }).events)).toEqual([[0, 0]]);
    });
  });

  describe('a process that recovers', () => {
    test('and is larger takes over: it calls one timeout later', () => {
      const { events, leader, leaders } = watch(algorithm, {
        ...five,
        initiators: [0],
        crash: [{ position: 4, time: 0 }],
        recover: [{ position: 4, time: 20 }],
      });
      expect(callsOf(events)).toEqual([
        [0, 0],
        [22, 4],
      ]);
      expect(leader?.id).toBe(5);
      expect(leaders).toEqual([
        { id: 4, term: 1, time: 9 },
        { id: 5, term: 5, time: 27 },
      ]);
    });

    test('and has missed some terms announces above them, and is no longer skipped', () => {
      const { leader, leaders, messages } = watch(algorithm, {
        ...five,
        initiators: [0, { position: 1, time: 40 }, { position: 2, time: 80 }],
        crash: [{ position: 3, time: 0 }],
        recover: [{ position: 3, time: 120 }],
      });
      expect(leaders.map(({ term }) => term)).toEqual([1, 2, 3, 4]);
      expect([leader?.id, messages.announcement]).toEqual([5, 3 * 4 + 5]);
    });

    test('while its old message is still in flight accepts that as returned too, and all agree', () => {
      for (let time = 0.5; time <= 12; time += STEP) {
        for (let away = 0.5; away <= 12; away += STEP) {
          const fault = { position: 1, time };
          expectLargestLiveLeads(algorithm, {
            ...five,
            initiators: [1],
            crash: [fault],
            recover: [{ position: 1, time: time + away }],
          });
        }
      }
    });
  });

  test(`one crash and one recovery at any time, every order, any initiators: the largest live process leads; n up to ${MAX_NODES}`, () => {
    for (let n = 1; n <= MAX_NODES; n++) {
      for (const ids of ringOrders(n)) {
        for (const initiators of positionSets(n)) {
          for (let position = 0; position < n; position++) {
            for (let time = 0; time <= 2 * n; time += n < 4 ? 0.5 : 1.5) {
              for (const away of [0.5, 2.5, 11]) {
                const recover = [{ position, time: time + away }];
                expectLargestLiveLeads(algorithm, { ids, initiators, crash: [{ position, time }], recover });
              }
            }
          }
        }
      }
    }
  });

  test('one crash without recovery, after somebody started: the same, unless the process led', () => {
    let inOffice = 0;
    for (let n = 2; n <= MAX_NODES + 1; n++) {
      for (const initiators of positionSets(n)) {
        for (let position = 0; position < n; position++) {
          for (let time = 0; time <= 3 * n; time += n <= MAX_NODES ? STEP : 1.5) {
            const events: TraceEvent[] = [];
            const observe = (event: TraceEvent) => events.push(event);
            const crash = [{ position, time }];
            // Nothing would start.
            if (time === 0 && initiators.every((initiator) => initiator === position)) continue;
            try {
              expectLargestLiveLeads(algorithm, { ids: shuffled(n, n), initiators, crash, observe });
            } catch (error) {
              if (!(error instanceof ElectionError)) throw error;
              const led = events.some(
                ({ node, ...event }) =>
                  node === position && event.type === 'decide' && event.role === 'leader',
              );
              if (led && error.property === 'uniqueness') inOffice++;
              else throw error;
            }
          }
        }
      }
    }
    expect(inOffice).toBeGreaterThan(0);
  });

  describe('any number of crashes and recoveries at any time', () => {
    test('if the last event is a recovery, the largest live process leads in the end, known to all', () => {
      fc.assert(
        fc.property(anyCrashes, (options) => expectLargestLiveLeads(algorithm, options)),
        { numRuns: randomRuns(2500), seed: 2008 },
      );
    });

    test('no two processes ever lead the same term, and no decision changes within a term', () => {
      fc.assert(
        fc.property(anyCrashes, fc.constantFrom(1, 2, 6), ({ recover, ...options }, timeout) => {
          // No final recovery, perhaps no initiator that lives to start, and the timeout may be too short.
          const despite = ['timing', 'termination'];
          const set = { timeout };
          const chosen = { ...options, recover: recover.slice(0, -1), set, despite, until: 2000 };
          expect(breachOf(algorithm, chosen)).toBeNull();
        }),
        { numRuns: randomRuns(2000), seed: 2009 },
      );
    });
  });

  test('loss alone does no harm: elections are called again until no message is lost', () => {
    for (let seed = 1; seed <= randomRuns(1500); seed++) {
      const n = 1 + (seed % 8);
      const options: SimulateOptions = { ids: shuffled(n, seed), loss: seed % 2 === 0 ? 0.02 : 0.15, seed };
      expectLargestLiveLeads(algorithm, options);
    }
  });

  test('a partition: no message returns until it heals, and then all agree', () => {
    const parted: SimulateOptions = {
      ids: ascending(4),
      partition: [
        {
          groups: [
            [0, 1],
            [2, 3],
          ],
          from: 0,
          until: 100,
        },
      ],
      despite: ['partition'],
      until: 90,
    };
    expect(simulate(algorithm, parted).valid.termination).toBe(false);
    const healed = simulate(algorithm, { ...parted, until: 200 });
    expect([healed.leader?.id, healed.valid.agreement]).toEqual([4, true]);
  });

  describe('in every schedule, with the largest process crashed at the start and every followed coordinator that crashes detected', () => {
    const withDetectors: AnyAlgorithm = { ...(algorithm as AnyAlgorithm), trigger: 'coordinator dead' };

    test('3 processes, every order and every set of initial detectors, one more crash at any time', () => {
      const result = check(withDetectors, { nodes: 3, orders: 'all', initiators: 'subsets', crashes: 1 });
      expect(result).toMatchObject({ complete: true, violations: [] });
    });

    test('3 processes, one more crash and one recovery at any time', () => {
      const result = check(withDetectors, { nodes: 3, order: 'ascending', crashes: 1, recoveries: 1 });
      expect(result).toMatchObject({ complete: true, violations: [] });
    });

    test('4 processes, one more crash at any time', () => {
      const result = check(withDetectors, { nodes: 4, order: 'ascending', crashes: 1 });
      expect(result).toMatchObject({ complete: true, violations: [] });
    });
  });
});
