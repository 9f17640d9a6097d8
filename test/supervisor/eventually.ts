import { setTimeout as sleep } from 'node:timers/promises';

/** The first result that is something: an empty text is not. Generous: a machine may be busy. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | null | false | '',
  limitMs = 20_000,
): Promise<T> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > endMs) throw new Error(`expected within ${limitMs} ms: ${what}`);
    await sleep(20);
  }
}
