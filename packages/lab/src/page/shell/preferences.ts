/** What the browser keeps for the reader. A browser that keeps nothing gives the defaults. */

const PREFIX = 'hustings.';

export function readPreference(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined forgets the preference. */
export function writePreference(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // A private window or a full store: the choice holds until the page is closed.
  }
}
