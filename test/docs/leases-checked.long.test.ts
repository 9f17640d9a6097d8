import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectKept } from '../golden/golden.ts';
import { LARGER } from '../lease/model/configurations.ts';
import { searched } from '../lease/model/searched.ts';
import { cellsOf, fillTable, PAGE } from './leases-checked.ts';

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
    expectKept(PAGE, fillTable(readFileSync(PAGE, 'utf8'), 'larger', rows));
  });
});
