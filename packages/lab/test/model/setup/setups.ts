import fc from 'fast-check';
import { registry } from '../../../../study/src/algorithms/index.ts';
import { ASSUMPTIONS } from '../../../../study/src/simulator/index.ts';
import type { LabSetup } from '../../../src/model/setup/lab-setup.ts';
import { problemOf, withoutDefaults } from '../../../src/model/setup/parameters.ts';

const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined, freq: 1 });

const time = fc.integer({ min: 0, max: 200 }).map((quarters) => quarters / 4);
const faultsBelow = (nodes: number) =>
  fc.uniqueArray(fc.record({ position: fc.integer({ min: 0, max: nodes - 1 }), time }), {
    selector: ({ position }) => position,
    maxLength: 3,
  });

/** Setups that can be resolved, of all kinds, without defaults. */
export const anySetup: fc.Arbitrary<LabSetup> = fc
  .record({
    nodes: fc.integer({ min: 2, max: 20 }),
    algorithm: fc.constantFrom(...registry.map(({ name }) => name)),
    sized: fc.constantFrom('nodes', 'ids', 'anonymous', 'default'),
  })
  .chain(({ nodes, algorithm, sized }) =>
    fc
      .record({
        ids: fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: nodes, maxLength: nodes }),
        order: optional(fc.constantFrom('ascending' as const, 'descending' as const, 'random' as const)),
        initiators: optional(
          fc.oneof(
            fc.constant('all' as const),
            fc.record({ random: fc.integer({ min: 1, max: nodes }) }),
            fc.uniqueArray(fc.integer({ min: 0, max: nodes - 1 }), { minLength: 1, maxLength: nodes }),
            faultsBelow(nodes).filter(({ length }) => length > 0),
          ),
        ),
        topology: optional(fc.constantFrom('ring', 'complete', 'star', 'random-tree', `grid:2x${nodes}`)),
        schedule: optional(fc.constantFrom('lockstep' as const, 'random' as const, 'random:nofifo' as const)),
        seed: optional(fc.integer({ min: 0, max: 1_000_000 })),
        crash: optional(fc.oneof(fc.constant('none' as const), faultsBelow(nodes))),
        recover: optional(faultsBelow(nodes)),
        loss: optional(fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100)),
        lossUntil: optional(time),
        duplicate: optional(fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100)),
        despite: optional(fc.uniqueArray(fc.constantFrom(...ASSUMPTIONS))),
        until: optional(time),
      })
      .map(({ ids, order, ...rest }): LabSetup => {
        const size = {
          nodes: { nodes, order },
          ids: { ids },
          anonymous: { nodes, ids: 'anonymous' as const },
          default: { order },
        }[sized];
        return withoutDefaults({ algorithm, ...size, ...rest });
      }),
  )
  .filter((setup) => problemOf(setup) === null);
