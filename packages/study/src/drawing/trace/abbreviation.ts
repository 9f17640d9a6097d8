/** The shortest beginning of a name that no other one has, of at most this many letters. */
export function abbreviation(name: string, names: readonly string[], most = name.length): string {
  for (let length = 1; length < Math.min(most, name.length); length++) {
    const beginning = name.slice(0, length);
    if (names.filter((other) => other.startsWith(beginning)).length === 1) return beginning;
  }
  return name.slice(0, most);
}
