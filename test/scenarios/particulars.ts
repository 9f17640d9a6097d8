/** What single algorithms need of a scenario: sizes that fit their parameters, and how many may fail. */
import type { Setting } from '../../src/kernel/index.ts';

interface Particulars {
  /** A size near the one that was drawn. */
  readonly nodes?: (n: number, drawn: number) => number;
  readonly ids?: (n: number, drawn: number) => number[];
  readonly set?: (n: number, drawn: number) => Record<string, Setting>;
  /** So many nodes may be dead at once. */
  readonly mayFail?: (n: number) => number;
}

export const particulars: Readonly<Record<string, Particulars>> = {
  // It never rests: what it costs is upkeep, and that for as long as it is watched.
  raft: { nodes: (n) => Math.min(n, 7), mayFail: (n) => Math.ceil(n / 2) - 1 },
};
