import { describe, expect, test } from 'vitest';
import { registry } from '../../../study/src/algorithms/registry.ts';
import { checkMember } from '../../src/runtime/member-options.ts';
import { isEndless } from '../../src/view/overlay.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';

const IDS = [3, 8, 12, 20, 41];

/** Those that no cluster can run, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  'time-slice': 'synchronous rounds',
  'flood-max-rounds': 'synchronous rounds',
  'sun-divided': 'helper process',
};

const runnable = registry.filter(({ name }) => REFUSED[name] === undefined);

for (const algorithm of registry.filter(({ name }) => REFUSED[name] !== undefined)) {
  test(`${algorithm.name} is refused, with the reason`, () => {
    const options = { algorithm, members: IDS, self: 3, unitMs: 50 };
    expect(() => checkMember(options as never)).toThrow(REFUSED[algorithm.name]);
  });
}

describe('five members elect and agree', () => {
  for (const algorithm of runnable) {
    test(`${algorithm.name}, ${isEndless(algorithm) ? 'in one endless run' : 'in epochs'}`, async () => {
      for (const seed of [1, 2]) {
        const cluster = new SimulatedCluster({ algorithm, ids: IDS, seed });
        cluster.startAll();
        await cluster.agree(60_000);
        expect(cluster.doublyLed()).toEqual([]);
        for (const id of IDS) {
          expect(cluster.statusOf(id).counts.refused).toBe(0);
        }
        expect(cluster.events.filter(({ event }) => event.type === 'handler-failed')).toEqual([]);
      }
    });
  }
});
