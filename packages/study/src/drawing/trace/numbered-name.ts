/** Names such as 'round 3' and 'wave 7': a noun and a number. */

/** The noun of all names; null if they have different nouns, or one has no number. */
export function commonNoun(names: readonly string[]): string | null {
  const nouns = new Set(names.map((name) => /^(.+) \d+$/.exec(name)?.[1] ?? null));
  const [noun] = nouns;
  return nouns.size === 1 ? noun : null;
}
