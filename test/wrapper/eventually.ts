import { setTimeout as sleep } from 'node:timers/promises';

/** The first result that is neither undefined, null nor false. Generous: a machine may be busy. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | null | false,
  limitMs = 20_000,
): Promise<T> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > endMs) throw new Error(`expected within ${limitMs} ms: ${what}`);
    await sleep(20);
  }
}
