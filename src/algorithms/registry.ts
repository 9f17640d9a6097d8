/** Every algorithm, one line each, in the order in which lists show them. */
import type { AnyAlgorithm } from '../kernel/index.ts';
import { bully } from './complete/bully.ts';
import { echoElection } from './graph/echo-election.ts';
import { allCirculate } from './ring/all-circulate.ts';
import { changRoberts } from './ring/chang-roberts.ts';
import { divided } from './ring/divided.ts';
import { dolevKlaweRodeh } from './ring/dolev-klawe-rodeh.ts';
import { hirschbergSinclair } from './ring/hirschberg-sinclair.ts';
import { leLann } from './ring/lelann.ts';
import { peterson } from './ring/peterson.ts';
import { petersonBidirectional } from './ring/peterson-bidirectional.ts';
import { sun } from './ring/sun.ts';
import { treeElection } from './tree/tree-election.ts';

export const registry: readonly AnyAlgorithm[] = [
  leLann,
  changRoberts,
  allCirculate,
  hirschbergSinclair,
  petersonBidirectional,
  peterson,
  dolevKlaweRodeh,
  sun,
  divided,
  echoElection,
  treeElection,
  bully,
];
