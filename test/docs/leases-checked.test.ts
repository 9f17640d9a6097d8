import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areAlike, CONFIGURATIONS } from '../../packages/hustings/test/lease/model/configurations.ts';
import { LeaseSystem } from '../../packages/hustings/test/lease/model/lease-system.ts';
import { MUTANTS } from '../../packages/hustings/test/lease/model/mutants.ts';
import { searched } from '../../packages/hustings/test/lease/model/searched.ts';
import { searchSystem } from '../../packages/study/src/checker/index.ts';
import { expectKept } from '../../test-kit/golden/golden.ts';
import { fillRegions } from '../../test-kit/golden/regions.ts';
import { isFull } from '../../test-kit/limits/effort.ts';
import { caught, cellsOf, PAGE, storyLines, tableRegion, withoutCounts } from './leases-checked.ts';

/** A second or two each on an idle machine. */
const LIMIT_MS = 300_000;
/** The mutant whose counterexample is shown in full. */
const TOLD = "a waiting candidate uses its own ttl, not the holder's";

/** A larger search of a setting is cut off: it has seen the states that the fewest steps reach. */
const isExact = isFull || process.env.HUSTINGS_GOLDEN === 'rewrite';
const STATE_LIMIT = isExact ? Number.POSITIVE_INFINITY : 60_000;
const STATES = isExact ? 'all states' : `the first ${STATE_LIMIT} states`;
/** Mutants with more states are searched once: in a quick run with symmetry reduction, otherwise without. */
const SYMMETRY_LIMIT = isExact ? 180_000 : 10_000;

/** The figures of a setting on the page, by its description. */
function keptCells(description: string): string[] {
  const row = readFileSync(PAGE, 'utf8')
    .split('\n')
    .find((line) => line.includes(` | ${description} | `));
  return (row ?? '').slice(2, -2).split(' | ').slice(2);
}

describe('docs/leases-checked.md', () => {
  const settings: (readonly string[])[] = [];
  const mutants: (readonly string[])[] = [];
  let told: readonly string[] = [];

  for (const [name, setting] of Object.entries(CONFIGURATIONS)) {
    it(`${name}: P1 to P4 hold in ${STATES}, and after faults stop a leader is elected and stays`, {
      timeout: LIMIT_MS,
    }, () => {
      const search = searched(setting, STATE_LIMIT);
      const { complete, states } = search.result;
      expect(search.narration).toEqual([]);
      expect(complete || states >= STATE_LIMIT).toBe(true);
      const cells = cellsOf(setting, search);
      settings.push(complete ? cells : [...cells.slice(0, 2), ...keptCells(cells[1])]);
    });
  }

  for (const mutant of MUTANTS) {
    it(`${mutant.name}: caught by ${mutant.property}`, { timeout: LIMIT_MS }, () => {
      const { property, story, cells } = caught(mutant, !isExact && areAlike(mutant.setting));
      expect(property, story.join('\n')).toBe(mutant.property);
      if (mutant.name === TOLD) told = story;
      mutants.push(cells);
    });
  }

  it('symmetry reduction hides nothing: the same mutants are caught, in the same number of steps', {
    timeout: LIMIT_MS,
  }, () => {
    const cellsNamed = (name: string): readonly string[] => mutants.find(([each]) => each === name) ?? [];
    const alike = MUTANTS.filter(({ setting, name, property }) => {
      const states = Number(cellsNamed(name)[2].replaceAll(',', ''));
      return areAlike(setting) && property !== 'recovery' && states <= SYMMETRY_LIMIT;
    });
    expect(alike.length).toBeGreaterThan(5);
    for (const { setting, planted, property, name } of alike) {
      const { violation } = searchSystem(new LeaseSystem({ ...setting, ...planted }, isExact));
      expect([name, violation?.property, String(violation?.steps.length)]).toEqual([
        name,
        property,
        cellsNamed(name)[3],
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
    if (isExact) expectKept(PAGE, page);
    else expect(withoutCounts(page)).toBe(withoutCounts(kept));
  });
});
