/**
 * Every row of the report, by family. An algorithm of the registry without a row below has the default row: its laws,
 * measured.
 */
import { algorithmFamilies } from '../algorithms/registry.ts';
import type { Family, Row } from './claim.ts';
import { petersonBidirectionalRow, petersonRow, timeSliceRow } from './claims/active-rings.ts';
import { itaiRodehBoundedRow, itaiRodehRow } from './claims/anonymous.ts';
import { impossibilityRow, itaiRodehEchoRow } from './claims/anonymous-networks.ts';
import { allBulliesRow, bullyGrantRow, bullyIdsRow, bullyRow, bullySuccessorRow } from './claims/complete.ts';
import { echoElectionRow, floodMaxRoundsRow, floodMaxRow, ghsRow, treeElectionRow } from './claims/graphs.ts';
import { hirschbergSinclairRow } from './claims/hirschberg-sinclair.ts';
import { dividedRow, ringListRow, ringMaxRow, sunDividedRow, sunRow } from './claims/mapped-rings.ts';
import { paperTableRow } from './claims/paper-table.ts';
import { goodElectionRow, leasesRow, predecessorRow, shardsRow } from './claims/production.ts';
import { raftRow } from './claims/quorum.ts';
import { randomizedChangRobertsRow } from './claims/randomized-ring.ts';
import { allCirculateRow, changRobertsRow, leLannRow } from './claims/rings.ts';
import { itaiRodehUnknownRow } from './claims/unknown-size.ts';
import { lawRow } from './law-row.ts';

/** Algorithms with claims beyond their laws, or whose laws need special elections. */
const algorithmRows: ReadonlyMap<string, Row> = new Map(
  [
    leLannRow,
    changRobertsRow,
    allCirculateRow,
    hirschbergSinclairRow,
    petersonBidirectionalRow,
    petersonRow,
    timeSliceRow,
    randomizedChangRobertsRow,
    ringListRow,
    ringMaxRow,
    sunRow,
    dividedRow,
    sunDividedRow,
    itaiRodehRow,
    itaiRodehBoundedRow,
    itaiRodehUnknownRow,
    itaiRodehEchoRow,
    floodMaxRow,
    floodMaxRoundsRow,
    echoElectionRow,
    ghsRow,
    treeElectionRow,
    bullyRow,
    bullyIdsRow,
    bullyGrantRow,
    bullySuccessorRow,
    raftRow,
  ].map((row) => [row.name, row]),
);

/** Rows about more than one algorithm. */
const furtherRows: Readonly<Record<string, readonly Row[]>> = {
  rings: [paperTableRow],
  anonymous: [impossibilityRow],
  complete: [allBulliesRow],
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
