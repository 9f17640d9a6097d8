import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { searchSystem } from '../../src/checker/index.ts';
import { expectKept } from '../golden/golden.ts';
import { fillRegions } from '../golden/regions.ts';
import { areAlike, CONFIGURATIONS } from '../lease/model/configurations.ts';
import { LeaseSystem } from '../lease/model/lease-system.ts';
import { MUTANTS } from '../lease/model/mutants.ts';
import { searched } from '../lease/model/searched.ts';
import { caught, cellsOf, PAGE, storyLines, tableRegion, withoutCounts } from './leases-checked.ts';

/** A second or two each on an idle machine. */
const LIMIT_MS = 300_000;
/** The mutant whose counterexample is shown in full. */
const TOLD = "a waiting candidate uses its own ttl, not the holder's";

/** The longest search: two terms and a delayed release. */
const LATE = 'the store releases without checking the holder';

describe('docs/leases-checked.md', () => {
  const settings: (readonly string[])[] = [];
  const mutants: (readonly string[])[] = [];
  let told: readonly string[] = [];

  for (const [name, setting] of Object.entries(CONFIGURATIONS)) {
    it(`${name}: P1 to P4 hold in all states, and after faults stop a leader is elected and stays`, {
      timeout: LIMIT_MS,
    }, () => {
      const search = searched(setting);
      expect(search.narration).toEqual([]);
      expect(search.result.complete).toBe(true);
      settings.push(cellsOf(setting, search));
    });
  }

  for (const mutant of MUTANTS) {
    it(`${mutant.name}: caught by ${mutant.property}`, { timeout: LIMIT_MS }, () => {
      const { property, story, cells } = caught(mutant);
      expect(property, story.join('\n')).toBe(mutant.property);
      if (mutant.name === TOLD) told = story;
      mutants.push(cells);
    });
  }

  it('symmetry reduction hides nothing: the same mutants are caught, in the same number of steps', {
    timeout: LIMIT_MS,
  }, () => {
    // Only those that are found quickly.
    const alike = MUTANTS.filter(
      ({ setting, name, property }) => areAlike(setting) && name !== LATE && property !== 'recovery',
    );
    expect(alike.length).toBeGreaterThan(5);
    for (const { setting, planted, property, name } of alike) {
      const { violation } = searchSystem(new LeaseSystem({ ...setting, ...planted }, true));
      expect([name, violation?.property, String(violation?.steps.length)]).toEqual([
        name,
        property,
        mutants.find(([each]) => each === name)?.[3],
      ]);
    }
  });

  it('shows the results of the searches; state counts are compared only in long runs', () => {
    const kept = readFileSync(PAGE, 'utf8');
    const page = fillRegions(kept, {
      ...tableRegion('settings', settings),
      ...tableRegion('mutants', mutants),
      story: () => storyLines(told),
    });
    const isExact = process.env.HUSTINGS_LONG === '1' || process.env.HUSTINGS_GOLDEN === 'rewrite';
    if (isExact) expectKept(PAGE, page);
    else expect(withoutCounts(page)).toBe(withoutCounts(kept));
  });
});
