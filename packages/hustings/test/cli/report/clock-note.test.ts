import { expect, it } from 'vitest';
import { clockNote } from '../../../src/cli/report/term-table.ts';
import type { ExpiryRule, LeaseStore } from '../../../src/lease/index.ts';

const plain = { width: 100, paint: (_: string, text: string) => text };
const noteOf = (expiry: ExpiryRule): string =>
  clockNote({ capabilities: { expiry } } as LeaseStore, plain as never);

it("says that times are on the store's clock only if the store has one", () => {
  expect(noteOf('clock')).toContain("on the store's clock");
  expect(noteOf('observation')).toContain('on the clocks of the candidates');
});
