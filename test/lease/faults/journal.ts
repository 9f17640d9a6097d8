/** What the candidates recorded, on the clock of the host, and the violations in it. */
import { readFileSync } from 'node:fs';

export interface Entry {
  /** Milliseconds of the host's monotonic clock. */
  readonly at: number;
  readonly id: string;
  readonly event: 'begin' | 'work' | 'lost' | 'over';
  readonly token: string;
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

/** Work of an older term after work of a newer one has begun: two leaders. */
export function staleWork(entries: readonly Entry[]): Entry[] {
  let newest = 0n;
  return entries.filter(({ event, token }) => {
    if (event !== 'work') return false;
    if (BigInt(token) > newest) newest = BigInt(token);
    return BigInt(token) < newest;
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
