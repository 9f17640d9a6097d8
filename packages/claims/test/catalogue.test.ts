import { describe, expect, test } from 'vitest';
import { changRoberts, registry } from '../../study/src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../study/src/kernel/index.ts';
import { Experiment } from '../src/experiment.ts';
import { families } from '../src/families.ts';
import { originText, studies } from '../src/index.ts';
import { lawRow } from '../src/law-row.ts';

/** Rows that are not about one algorithm, by family. */
const FURTHER = {
  rings: ['paper-table'],
  anonymous: ['impossibility'],
  graphs: [],
  complete: ['bullies'],
  quorum: [],
  production: ['leases', 'good-election', 'predecessor-watch', 'shards'],
};

describe('the claims of the report', () => {
  test('have a row for every algorithm, in its family, and the rows that are about more than one', () => {
    const names = new Set(registry.map(({ name }) => name));
    const rows = families.flatMap((family) => family.rows.map((row) => row.name));
    expect(rows.filter((name) => names.has(name))).toEqual([...names]);
    const further = families.map(({ name, rows }) => [
      name,
      rows.map((row) => row.name).filter((row) => !names.has(row)),
    ]);
    expect(Object.fromEntries(further)).toEqual(FURTHER);
  });

  test('take the laws of an algorithm without a row of its own as its claims', () => {
    const { claims, measure } = lawRow(changRoberts).studies[0];
    expect(claims.map(({ id, origin }) => [id, origin])).toEqual(
      changRoberts.laws.map((_, index) => [
        `chang-roberts/law-${index + 1}`,
        { type: 'ours', after: changRoberts.source },
      ]),
    );
    const findings = measure(new Experiment({ seed: 1, quick: true }));
    expect(findings.map(({ verdict }) => verdict)).toEqual(claims.map(() => 'confirmed'));
    const algorithm: AnyAlgorithm = changRoberts;
    const wrong = { ...algorithm, laws: [{ ...algorithm.laws[3], value: () => 1 }] };
    const [finding] = lawRow(wrong).studies[0].measure(new Experiment({ seed: 1, quick: true }));
    expect(finding.verdict).toBe('refuted');
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

  test('have each an id of its own that begins with its row, an origin and a sentence', () => {
    const ids = studies.flatMap(({ claims }) => claims.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, studies: own } of families.flatMap(({ rows }) => rows)) {
      for (const { id, origin, says } of own.flatMap(({ claims }) => claims)) {
        expect(id).toMatch(new RegExp(`^${name}/[a-z0-9-]+$`));
        expect([id, originText(origin).length > 5, says.length > 5]).toEqual([id, true, true]);
      }
    }
  });
});
