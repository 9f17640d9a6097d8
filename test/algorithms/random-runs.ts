/** The number of random cases: all in long runs, otherwise the first quarter of the same ones. */
export function randomRuns(all: number): number {
  return process.env.HUSTINGS_LONG === '1' ? all : Math.ceil(all / 4);
}
