import { setTimeout as sleep } from 'node:timers/promises';

/** The first truthy result. The limit is generous, because the machine may be busy. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | null | false | '',
  limitMs = 20_000,
): Promise<T> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > endMs) throw new Error(`not within ${limitMs} ms: ${what}`);
    await sleep(20);
  }
}
