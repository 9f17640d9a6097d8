/** The divisions of a ring: all u and depth such that u^depth divides n. */
import type { ScenarioCases } from '../cases.ts';

export interface Division {
  readonly n: number;
  readonly u: number;
  readonly depth: number;
}

/** All divisions of rings of `least` to `most` nodes. */
export function* divisions(least: number, most: number): Generator<Division> {
  for (let n = least; n <= most; n++) {
    for (let u = 2; u <= n; u++) {
      for (let depth = 1; n % u ** depth === 0; depth++) yield { n, u, depth };
    }
  }
}

/** u and depth: 2 to 4, and 1 or 2. */
function division(drawn: number): { u: number; depth: number } {
  return { u: 2 + (drawn % 3), depth: 1 + (Math.floor(drawn / 3) % 2) };
}

/** Rings inside the ring: u^depth divides n. */
export const divisionScenario: ScenarioCases = {
  nodes: (n, drawn) => {
    const { u, depth } = division(drawn);
    return Math.max(1, Math.floor(n / u ** depth)) * u ** depth;
  },
  set: (_n, drawn) => division(drawn),
};
