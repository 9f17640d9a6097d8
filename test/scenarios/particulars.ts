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

/** u and depth: 2 to 4, and 1 or 2. */
function division(drawn: number): { u: number; depth: number } {
  return { u: 2 + (drawn % 3), depth: 1 + (Math.floor(drawn / 3) % 2) };
}

/** Rings inside the ring: u^depth divides n. */
const divided: Particulars = {
  nodes: (n, drawn) => {
    const { u, depth } = division(drawn);
    return Math.max(1, Math.floor(n / u ** depth)) * u ** depth;
  },
  set: (_n, drawn) => division(drawn),
};

export const particulars: Readonly<Record<string, Particulars>> = {
  sun: divided,
  divided,
  'sun-divided': divided,
  'itai-rodeh': { set: (n, drawn) => ({ c: 2 + (drawn % (n + 1)) }) },
  'itai-rodeh-bounded': {
    set: (n, drawn) => {
      const least = Math.ceil((n + 1) / 2);
      return { c: 2 + (drawn % (n + 1)), N: least + (drawn % (n - least + 1)) };
    },
  },
  // It never rests: what it costs is upkeep, for as long as it is watched, so that most are small. A majority is left.
  raft: {
    nodes: (n, drawn) => (drawn % 20 === 0 ? n : 1 + (n % 7)),
    mayFail: (n) => Math.ceil(n / 2) - 1,
  },
};
