/** What `doctor` reports of a SQLite file. */
import { statSync } from 'node:fs';
import type { HostClock } from '../../host/host-clock.ts';
import type { Probe } from '../../lease-store.ts';

export function probeSqlite(path: string, { boot }: HostClock, version: string, roundTripMs: number): Probe {
  const warnings: string[] = [];
  if ((statSync(path).mode & 0o077) !== 0) {
    warnings.push(`Other users have access to ${path}: run chmod 600 on it, unless they take part.`);
  }
  if (boot === '') {
    warnings.push('This system has no boot id: a lease of an earlier boot may look valid for up to its TTL.');
  }
  return { server: `SQLite ${version}`, roundTripMs, clockOffsetMs: 0, problems: [], warnings };
}
