import { expect, it } from 'vitest';
import { clockNote } from '../../../src/cli/report/term-table.ts';
import type { LeaseStore } from '../../../src/lease/index.ts';

const plain = { width: 100, paint: (_: string, text: string) => text };
const noteOf = (clock: boolean): string =>
  clockNote({ capabilities: { clock } } as LeaseStore, plain as never);

it("says that times are on the store's clock only if the store has one", () => {
  expect(noteOf(true)).toContain("on the store's clock");
  expect(noteOf(false)).toContain('on the clocks of the candidates');
});
