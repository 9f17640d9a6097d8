import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { searchSystem } from '../../src/checker/index.ts';
import { expectKept } from '../golden/golden.ts';
import { areAlike, CONFIGURATIONS } from '../lease/model/configurations.ts';
import { LeaseSystem } from '../lease/model/lease-system.ts';
import { MUTANTS } from '../lease/model/mutants.ts';
import { searched } from '../lease/model/searched.ts';
import { caught, cellsOf, fillStory, fillTable, PAGE, withoutCounts } from './leases-checked.ts';

/** A second or two each, where the machine is not shared. */
const LIMIT_MS = 300_000;
/** Whose run is told in full. */
const TOLD = "a challenger waits for its own ttl, not the holder's";

/** Two terms and a release that comes late: the longest search. */
const LATE = 'the store releases without asking whose lease it is';

describe('docs/leases-checked.md', () => {
  const settings: (readonly string[])[] = [];
  const mutants: (readonly string[])[] = [];
  let told: readonly string[] = [];

  for (const [name, setting] of Object.entries(CONFIGURATIONS)) {
    it(`${name}: P1 to P4 hold in all states, and when nothing fails any more a lasting leader comes`, {
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

  it('exchanging candidates that are alike hides nothing: the same faults are found, in as many steps', {
    timeout: LIMIT_MS,
  }, () => {
    // Those that are found soon.
    const alike = MUTANTS.filter(({ setting, name }) => areAlike(setting) && name !== LATE);
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

  it('says what the searches came to; how many states it took is compared in long runs only', () => {
    const kept = readFileSync(PAGE, 'utf8');
    const page = fillStory(fillTable(fillTable(kept, 'settings', settings), 'mutants', mutants), told);
    const isExact = process.env.HUSTINGS_LONG === '1' || process.env.HUSTINGS_GOLDEN === 'rewrite';
    if (isExact) expectKept(PAGE, page);
    else expect(withoutCounts(page)).toBe(withoutCounts(kept));
  });
});
