import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bully, changRoberts, echoElection } from '../../../src/algorithms/index.ts';
import { readOptions, type SimulateFlags } from '../../../src/cli/flags/simulate-flags.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { ASSUMPTIONS, formatEvent, Run, type SimulateOptions } from '../../../src/simulator/index.ts';

const REPEATED = ['crash', 'recover', 'partition', 'set', 'despite'];

/** The options in a replay command. */
function parse(line: string): SimulateOptions {
  const [program, verb, , ...words] = line.split(' ');
  expect([program, verb, words.pop()]).toEqual(['hustings', 'simulate', '--trace']);
  const given: Record<string, string | string[]> = {};
  for (let k = 0; k < words.length; k += 2) {
    const name = words[k].slice(2);
    if (REPEATED.includes(name)) given[name] = [...(given[name] ?? []), words[k + 1]];
    else given[name] = words[k + 1];
  }
  return readOptions(given as unknown as SimulateFlags);
}

function play(algorithm: AnyAlgorithm, options: SimulateOptions): { replay: string; lines: string[] } {
  const lines: string[] = [];
  const run = new Run(algorithm, { ...options, observe: (event) => lines.push(formatEvent(event)) });
  while (!run.advance());
  return { replay: run.plan.replay, lines };
}

const time = fc.oneof(fc.nat(20), fc.double({ min: 0, max: 20, noNaN: true }), fc.constant(1e-7));
const chance = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.5, noNaN: true }), fc.constant(1e-9));

const NODES = 8;
const positions = [...Array(NODES).keys()];

const anyOptions: fc.Arbitrary<SimulateOptions> = fc
  .record({
    crashes: fc.array(fc.record({ position: fc.nat(NODES - 1), time }), { maxLength: 3 }),
    rest: fc.record(
      {
        seed: fc.maxSafeNat(),
        schedule: fc.constantFrom('lockstep', 'random', 'random:nofifo'),
        initiators: fc.oneof(
          fc.constant('all' as const),
          fc.record({ random: fc.integer({ min: 1, max: 4 }) }),
          fc.uniqueArray(fc.oneof(fc.nat(NODES - 1), fc.record({ position: fc.nat(NODES - 1), time })), {
            minLength: 1,
            maxLength: 4,
            selector: (entry) => (typeof entry === 'number' ? entry : entry.position),
          }),
        ),
        loss: chance,
        duplicate: chance,
        partition: fc.array(
          fc.record({
            groups: fc
              .shuffledSubarray(positions, { minLength: 2 })
              .map(([first, ...others]) => [[first], others]),
            from: time,
            until: time.map((until) => until + 21),
          }),
          { maxLength: 2 },
        ),
        until: time.map((until) => until * 5),
      },
      { requiredKeys: [] },
    ),
    network: fc.oneof(
      fc.record({ nodes: fc.constant(NODES), order: fc.constantFrom('ascending', 'descending', 'random') }),
      fc.record({ ids: fc.uniqueArray(fc.nat(2 ** 31 - 1), { minLength: NODES, maxLength: NODES }) }),
    ),
    comeBack: fc.boolean(),
  })
  .map(({ crashes, rest, network, comeBack }) => ({
    ...rest,
    ...network,
    crash: crashes.length === 0 ? 'none' : crashes,
    recover: comeBack ? crashes.map(({ position, time }) => ({ position, time: time + 2.5 })) : [],
    despite: ASSUMPTIONS,
  }));

describe('the replay command', () => {
  test.each<[string, AnyAlgorithm, SimulateOptions]>([
    ['chang-roberts', changRoberts, { set: { extremum: 'min', filter: true } }],
    ['bully', bully, { set: { timeout: 3 } }],
    ['echo-election', echoElection, { topology: 'random:12' }],
  ])('repeats the same run byte for byte: %s', (name, algorithm, own) => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        const first = play(algorithm, { ...own, ...options });
        expect(first.replay.startsWith(`hustings simulate ${name} `)).toBe(true);
        expect(play(algorithm, parse(first.replay))).toEqual(first);
      }),
      { numRuns: 150, seed: 7 },
    );
  });
});
