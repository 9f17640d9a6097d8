/** Every claim that is rebuilt, by the kind of network that it is about. */
import type { Family } from './claim.ts';
import {
  dolevKlaweRodehRow,
  petersonBidirectionalRow,
  petersonRow,
  timeSliceRow,
} from './claims/active-rings.ts';
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

export const families: readonly Family[] = [
  {
    name: 'rings',
    title: 'Rings with unique ids',
    rows: [
      leLannRow,
      changRobertsRow,
      allCirculateRow,
      hirschbergSinclairRow,
      petersonBidirectionalRow,
      petersonRow,
      dolevKlaweRodehRow,
      timeSliceRow,
      randomizedChangRobertsRow,
      ringListRow,
      ringMaxRow,
      sunRow,
      dividedRow,
      sunDividedRow,
      paperTableRow,
    ],
  },
  {
    name: 'anonymous',
    title: 'Anonymous rings and networks',
    rows: [itaiRodehRow, itaiRodehBoundedRow, itaiRodehUnknownRow, itaiRodehEchoRow, impossibilityRow],
  },
  {
    name: 'graphs',
    title: 'Arbitrary networks and trees',
    rows: [floodMaxRow, floodMaxRoundsRow, echoElectionRow, ghsRow, treeElectionRow],
  },
  {
    name: 'complete',
    title: 'Complete networks with crashes and recoveries',
    rows: [bullyRow, bullyIdsRow, bullyGrantRow, bullySuccessorRow, allBulliesRow],
  },
  { name: 'quorum', title: 'Elections by majority', rows: [raftRow] },
  {
    name: 'production',
    title: 'In production',
    rows: [leasesRow, goodElectionRow, predecessorRow, shardsRow],
  },
];
