/**
 * Every row of the report, by family. An algorithm of the registry without a row in `claims/` has the default row: its
 * laws, measured. The files of `claims/` export rows and nothing else.
 */
import { algorithmFamilies } from '@hustings/study/algorithms';
import type { Family, Row } from './claim.ts';
import * as activeRings from './claims/active-rings.ts';
import * as anonymous from './claims/anonymous.ts';
import * as anonymousNetworks from './claims/anonymous-networks.ts';
import * as complete from './claims/complete.ts';
import * as graphs from './claims/graphs.ts';
import * as hirschbergSinclair from './claims/hirschberg-sinclair.ts';
import * as mappedRings from './claims/mapped-rings.ts';
import * as nestedRings from './claims/nested-rings.ts';
import { paperTableRow } from './claims/paper-table.ts';
import { goodElectionRow, leasesRow, predecessorRow, shardsRow } from './claims/production.ts';
import * as quorum from './claims/quorum.ts';
import * as randomizedRing from './claims/randomized-ring.ts';
import * as rings from './claims/rings.ts';
import * as unknownSize from './claims/unknown-size.ts';
import { lawRow } from './law-row.ts';

/** Algorithms with claims beyond their laws, or whose laws need special elections. */
const algorithmRows: ReadonlyMap<string, Row> = new Map(
  [
    ...[rings, hirschbergSinclair, activeRings, randomizedRing, mappedRings, nestedRings],
    ...[anonymous, unknownSize, anonymousNetworks, graphs, complete, quorum],
  ].flatMap((rows) => Object.values(rows).map((row: Row) => [row.name, row])),
);

/** Rows about more than one algorithm. */
const furtherRows: Readonly<Record<string, readonly Row[]>> = {
  rings: [paperTableRow],
  anonymous: [anonymousNetworks.impossibilityRow],
  complete: [complete.allBulliesRow],
};

export const families: readonly Family[] = [
  ...algorithmFamilies.map(({ name, title, algorithms }) => ({
    name,
    title,
    rows: [
      ...algorithms.map((algorithm) => algorithmRows.get(algorithm.name) ?? lawRow(algorithm)),
      ...(furtherRows[name] ?? []),
    ],
  })),
  {
    name: 'production',
    title: 'In production',
    rows: [leasesRow, goodElectionRow, predecessorRow, shardsRow],
  },
];
