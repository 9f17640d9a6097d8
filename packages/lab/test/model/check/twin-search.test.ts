import { describe, expect, it } from 'vitest';
import { registry, twins } from '../../../../study/src/algorithms/index.ts';
import { check } from '../../../../study/src/checker/index.ts';
import { resolvePlan } from '../../../../study/src/simulator/plan/resolve-plan.ts';
import { checkChoices, checkOptions } from '../../../src/model/check/check-request.ts';
import { twinState } from '../../../src/model/check/twin-search.ts';
import { algorithmOf, optionsOf } from '../../../src/model/setup/lab-setup.ts';

describe('the search for the fault of a wrong twin', () => {
  it('finds it in the setup of the run, where the link keeps that setup', () => {
    const kept: string[] = [];
    for (const { name } of registry) {
      const twin = twins.find((each) => each.of === name);
      if (twin === undefined) continue;
      const { nodes } = resolvePlan(algorithmOf({ algorithm: name }), optionsOf({ algorithm: name }));
      const { extra, setup } = twinState(twin, { algorithm: name }, nodes);
      expect(extra.puzzle).toBeUndefined();
      if (setup.nodes !== nodes || extra.orders !== undefined) continue;
      kept.push(name);
      const { violations } = check(
        algorithmOf(setup),
        checkOptions({ setup, choices: checkChoices(setup, extra) }),
      );
      expect(violations[0]?.property, name).toBe(twin.property);
    }
    expect(kept).toEqual(['chang-roberts', 'peterson']);
  });

  it('keeps ids, topology and parameters, and falls back to a small network above eight nodes', () => {
    const twin = twins.find(({ of }) => of === 'chang-roberts');
    if (twin === undefined) throw new Error('there is no twin of Chang–Roberts');
    const setup = { algorithm: 'chang-roberts', ids: [5, 2, 4], set: { extremum: 'min' } };
    expect(twinState(twin, setup, 3).setup).toEqual({ ...setup, algorithm: twin.name });
    expect(twinState(twin, { algorithm: 'chang-roberts', nodes: 9 }, 9).setup.nodes).toBe(twin.search.nodes);
  });
});
