/**
 * Every algorithm, by family, in the order in which lists show them. Lists, pages, report rows, searches and the exports
 * of index.ts are derived from this file: see `npm run generate`.
 */
import type { AnyAlgorithm } from '../kernel/index.ts';
import { itaiRodeh } from './anonymous/itai-rodeh.ts';
import { itaiRodehBounded } from './anonymous/itai-rodeh-bounded.ts';
import { itaiRodehEcho } from './anonymous/itai-rodeh-echo.ts';
import { itaiRodehUnknown } from './anonymous/itai-rodeh-unknown.ts';
import { bully } from './complete/bully.ts';
import { bullyGrant } from './complete/bully-grant.ts';
import { bullyIds } from './complete/bully-ids.ts';
import { bullySuccessor } from './complete/bully-successor.ts';
import { echoElection } from './graph/echo-election.ts';
import { floodMax } from './graph/flood-max.ts';
import { floodMaxRounds } from './graph/flood-max-rounds.ts';
import { ghs } from './graph/ghs.ts';
import { raft } from './quorum/raft.ts';
import { allCirculate } from './ring/all-circulate.ts';
import { changRoberts } from './ring/chang-roberts.ts';
import { divided } from './ring/divided.ts';
import { dolevKlaweRodeh } from './ring/dolev-klawe-rodeh.ts';
import { franklin } from './ring/franklin.ts';
import { hirschbergSinclair } from './ring/hirschberg-sinclair.ts';
import { leLann } from './ring/lelann.ts';
import { peterson } from './ring/peterson.ts';
import { petersonBidirectional } from './ring/peterson-bidirectional.ts';
import { randomizedChangRoberts } from './ring/randomized-chang-roberts.ts';
import { ringList } from './ring/ring-list.ts';
import { ringMax } from './ring/ring-max.ts';
import { sun } from './ring/sun.ts';
import { sunDivided } from './ring/sun-divided.ts';
import { timeSlice } from './ring/time-slice.ts';
import { treeElection } from './tree/tree-election.ts';

/** The algorithms for one kind of network. */
export interface AlgorithmFamily {
  readonly name: string;
  readonly title: string;
  readonly algorithms: readonly AnyAlgorithm[];
}

/** All algorithms by kind of network. */
export const algorithmFamilies: readonly AlgorithmFamily[] = [
  {
    name: 'rings',
    title: 'Rings with unique ids',
    algorithms: [
      leLann,
      changRoberts,
      allCirculate,
      hirschbergSinclair,
      petersonBidirectional,
      franklin,
      peterson,
      dolevKlaweRodeh,
      timeSlice,
      randomizedChangRoberts,
      ringList,
      ringMax,
      sun,
      divided,
      sunDivided,
    ],
  },
  {
    name: 'anonymous',
    title: 'Anonymous rings and networks',
    algorithms: [itaiRodeh, itaiRodehBounded, itaiRodehUnknown, itaiRodehEcho],
  },
  {
    name: 'graphs',
    title: 'Arbitrary networks and trees',
    algorithms: [floodMax, floodMaxRounds, echoElection, ghs, treeElection],
  },
  {
    name: 'complete',
    title: 'Complete networks with crashes and recoveries',
    algorithms: [bully, bullyIds, bullyGrant, bullySuccessor],
  },
  { name: 'quorum', title: 'Elections by majority', algorithms: [raft] },
];

/** All algorithms, in the order of lists. */
export const registry: readonly AnyAlgorithm[] = algorithmFamilies.flatMap(({ algorithms }) => algorithms);
