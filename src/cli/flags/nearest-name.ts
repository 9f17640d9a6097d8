/** Suggests the known name that is nearest to a misspelt one. */

/** The largest number of typing errors for a name of each length. */
const SLIPS = [0, 1, 1, 1, 2, 2, 2, 3];

/** A hint that names the nearest known name. `known` must not be empty. */
export function hintAt(given: string, known: readonly string[]): string {
  const { name, isClose } = nearest(given, known);
  return isClose ? `did you mean ${name}?` : `the nearest name is ${name}`;
}

/** The known name that the user probably meant, if there is one. */
export function closeTo(given: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const { name, isClose } = nearest(given, known);
  return isClose ? name : null;
}

function nearest(given: string, known: readonly string[]): { name: string; isClose: boolean } {
  const wanted = given.toLowerCase();
  const holders = wanted.length > 1 ? known.filter((name) => name.includes(wanted)) : [];
  const distances = known.map((name) => distance(wanted, name));
  const least = Math.min(...distances);
  const isClose = least <= SLIPS[Math.min(wanted.length, SLIPS.length - 1)];
  // Part of a name is enough if only one name contains it, or only one begins with it.
  const beginners = holders.filter((name) => name.startsWith(wanted));
  const [alone] = [holders, beginners].find(({ length }) => length === 1) ?? [];
  if (!isClose && alone !== undefined) return { name: alone, isClose: true };
  return { name: known[distances.indexOf(least)], isClose };
}

/** Letters to insert, drop, replace or swap with their neighbour (Damerau–Levenshtein, adjacent swaps). */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, replaced);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j], older[j - 2] + 1);
    }
    older = last;
    last = row;
  }
  return last[b.length];
}
