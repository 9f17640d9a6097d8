/** What the candidates recorded, on the clock of the host, and the violations in it. */
import { readFileSync } from 'node:fs';

export interface Entry {
  /** Milliseconds of the host's monotonic clock. Work has the time before the assert that allowed it. */
  readonly at: number;
  readonly id: string;
  readonly event: 'start' | 'begin' | 'work' | 'lost' | 'over';
  readonly token: string;
  /** Absent before the first term. */
  readonly slot?: number;
  readonly reason?: string;
  readonly released?: boolean;
}

/** In the order of time. The last line of a process that was killed may be torn. */
export function readJournals(paths: readonly string[]): Entry[] {
  const entries = paths.flatMap((path) => {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Entry);
  });
  return entries.sort((a, b) => a.at - b.at);
}

/** From a fault on, while the guarantees allow that the leader of that time goes on beside its successor. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Work of an older term after work of a newer one has begun: two leaders. In each window one older term is allowed. */
export function staleWork(entries: readonly Entry[], windows: readonly Window[] = []): Entry[] {
  let newest = 0n;
  const allowed = new Map<Window, string>();
  return entries.filter(({ event, token, at }) => {
    if (event !== 'work') return false;
    if (BigInt(token) > newest) newest = BigInt(token);
    if (BigInt(token) === newest) return false;
    // Two faults within one TTL have windows that overlap, each with a leader of its own.
    const around = windows.filter(({ fromMs, toMs }) => fromMs <= at && at <= toMs);
    if (around.some((window) => allowed.get(window) === token)) return false;
    const unused = around.find((window) => !allowed.has(window));
    if (unused !== undefined) allowed.set(unused, token);
    return unused === undefined;
  });
}

/** Terms of a candidate that was evicted less than one TTL before, and has run since then. */
export function termsAfterEviction(entries: readonly Entry[], ttlMs: number): Entry[] {
  const evictedMs = new Map<string, number>();
  return entries.filter(({ at, id, event, reason }) => {
    if (event === 'over' && reason === 'evicted') evictedMs.set(id, at);
    if (event === 'start') evictedMs.delete(id);
    // The event comes a little after the beginning of the time.
    return event === 'begin' && at < (evictedMs.get(id) ?? Number.NEGATIVE_INFINITY) + 0.9 * ttlMs;
  });
}

/** Terms that began without a larger token than all before. */
export function fallenTokens(entries: readonly Entry[]): Entry[] {
  let newest = 0n;
  return entries.filter(({ event, token }) => {
    if (event !== 'begin') return false;
    const rose = BigInt(token) > newest;
    if (rose) newest = BigInt(token);
    return !rose;
  });
}
