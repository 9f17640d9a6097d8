import { describe, expect, test } from 'vitest';
import { registry } from '../../src/algorithms/index.ts';
import { families } from '../../src/reproduce/families.ts';
import { studies } from '../../src/reproduce/index.ts';

/** Every system whose claims the report must have, by family. */
const ROWS = {
  rings: [
    'lelann',
    'chang-roberts',
    'all-circulate',
    'hirschberg-sinclair',
    'peterson-bidirectional',
    'peterson',
    'dolev-klawe-rodeh',
    'time-slice',
    'randomized-chang-roberts',
    'ring-list',
    'ring-max',
    'sun',
    'divided',
    'sun-divided',
    'paper-table',
  ],
  anonymous: ['itai-rodeh', 'itai-rodeh-bounded', 'itai-rodeh-unknown', 'itai-rodeh-echo', 'impossibility'],
  graphs: ['flood-max', 'flood-max-rounds', 'echo-election', 'ghs', 'tree-election'],
  complete: ['bully', 'bully-ids', 'bully-grant', 'bully-successor', 'bullies'],
  quorum: ['raft'],
  production: ['leases', 'good-election', 'predecessor-watch', 'shards'],
};

describe('the claims of the report', () => {
  test('are those of every system, each in its family', () => {
    const listed = families.map(({ name, rows }) => [name, rows.map((row) => row.name)]);
    expect(Object.fromEntries(listed)).toEqual(ROWS);
  });

  test('leave out no algorithm, and no law of any', () => {
    const rows = new Map(families.flatMap((family) => family.rows.map((row) => [row.name, row] as const)));
    for (const { name, laws } of registry) {
      const claims = rows.get(name)?.studies.flatMap((study) => study.claims) ?? [];
      expect([name, claims.filter(({ id }) => id.startsWith(`${name}/law-`)).length]).toEqual([
        name,
        laws.length,
      ]);
    }
  });

  test('have each an id of its own that begins with its row, a source and a sentence', () => {
    const ids = studies.flatMap(({ claims }) => claims.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, studies: own } of families.flatMap(({ rows }) => rows)) {
      for (const { id, source, says } of own.flatMap(({ claims }) => claims)) {
        expect(id).toMatch(new RegExp(`^${name}/[a-z0-9-]+$`));
        expect([id, source.length > 5, says.length > 5]).toEqual([id, true, true]);
      }
    }
  });
});
