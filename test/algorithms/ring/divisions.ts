/** The ways to divide a ring: u and depth such that u^depth divides n. */

export interface Division {
  readonly n: number;
  readonly u: number;
  readonly depth: number;
}

/** All of them, for rings of `least` to `most` nodes. */
export function* divisions(least: number, most: number): Generator<Division> {
  for (let n = least; n <= most; n++) {
    for (let u = 2; u <= n; u++) {
      for (let depth = 1; n % u ** depth === 0; depth++) yield { n, u, depth };
    }
  }
}
