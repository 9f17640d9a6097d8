/** Finds the known name that a misspelled one resembles. */

/** The edit distance, by length of the name, up to which two names are similar. */
const MAX_EDITS = [0, 1, 1, 1, 1, 1, 2, 2, 2, 3];

/** A clause for an error: '; did you mean NAME?', or nothing if no known name is similar. */
export function suggestion(given: string, known: readonly string[]): string {
  const name = similarName(given, known);
  return name === null ? '' : `; did you mean ${name}?`;
}

/** The known name that is similar, or null. */
export function similarName(given: string, known: readonly string[]): string | null {
  const wanted = given.toLowerCase();
  const distances = known.map((name) => distance(wanted, name));
  const least = Math.min(...distances);
  if (least <= MAX_EDITS[Math.min(wanted.length, MAX_EDITS.length - 1)])
    return known[distances.indexOf(least)];
  // A part of a name is enough if only one name contains it, or only one begins with it.
  const holders = wanted.length > 1 ? known.filter((name) => name.includes(wanted)) : [];
  const beginners = holders.filter((name) => name.startsWith(wanted));
  return [holders, beginners].find(({ length }) => length === 1)?.[0] ?? null;
}

/** Edit distance with insertions, deletions, replacements and adjacent swaps (Damerau–Levenshtein). */
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
