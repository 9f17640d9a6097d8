import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LARGER } from '../../packages/hustings/test/lease/model/configurations.ts';
import { searched } from '../../packages/hustings/test/lease/model/searched.ts';
import { expectKept } from '../../test-kit/golden/golden.ts';
import { fillRegions } from '../../test-kit/golden/regions.ts';
import { cellsOf, PAGE, tableRegion } from './leases-checked.ts';

const REPAIR = 'HUSTINGS_GOLDEN=rewrite npm run test:long -- test/docs/leases-checked.long.test.ts';

describe('docs/leases-checked.md, larger searches', () => {
  const rows: (readonly string[])[] = [];

  for (const [name, setting] of Object.entries(LARGER)) {
    it(`${name}: P1 to P4 hold in all states, and after faults stop a leader is elected and stays`, {
      timeout: 1_800_000,
    }, () => {
      const search = searched(setting);
      expect(search.narration).toEqual([]);
      expect(search.result.complete).toBe(true);
      rows.push(cellsOf(setting, search));
    });
  }

  it('shows the results', () => {
    const filled = fillRegions(readFileSync(PAGE, 'utf8'), tableRegion('larger', rows));
    expectKept(PAGE, filled, REPAIR);
  });
});
