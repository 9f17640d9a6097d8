import type { LeaseRow } from '../../../src/lease/core/lease-row.ts';

/** The row as a store sees it whose clock was set back. */
export function setBack(row: LeaseRow, ms: number): LeaseRow {
  const { untilMs, notBeforeMs, challenger } = row;
  return {
    ...row,
    untilMs: untilMs + ms,
    notBeforeMs: notBeforeMs + ms,
    challenger: challenger && {
      ...challenger,
      sinceMs: challenger.sinceMs + ms,
      untilMs: challenger.untilMs + ms,
    },
  };
}
