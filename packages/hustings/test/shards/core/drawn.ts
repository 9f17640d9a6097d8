/** Runs a property on views at random. A failure names the case, which `drawn(1, …, case)` repeats. */
import { nextRandom } from '../../../src/lease/core/prng.ts';

export function drawn(cases: number, property: (draw: (below: number) => number) => void, first = 1): void {
  for (let seed = first; seed < first + cases; seed++) {
    let state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
    const draw = (below: number): number => {
      state = nextRandom(state);
      return state % below;
    };
    for (let warm = 0; warm < 4; warm++) draw(2);
    try {
      property(draw);
    } catch (error) {
      throw new Error(`case ${seed}`, { cause: error });
    }
  }
}
