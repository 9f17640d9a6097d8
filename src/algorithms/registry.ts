/** Every algorithm, one line each, in the order in which lists show them. */
import type { AnyAlgorithm } from '../kernel/index.ts';
import { bully } from './complete/bully.ts';
import { echoElection } from './graph/echo-election.ts';
import { allCirculate } from './ring/all-circulate.ts';
import { changRoberts } from './ring/chang-roberts.ts';
import { dolevKlaweRodeh } from './ring/dolev-klawe-rodeh.ts';
import { hirschbergSinclair } from './ring/hirschberg-sinclair.ts';
import { leLann } from './ring/lelann.ts';
import { peterson } from './ring/peterson.ts';
import { ringList } from './ring/ring-list.ts';
import { ringMax } from './ring/ring-max.ts';

export const registry: readonly AnyAlgorithm[] = [
  leLann,
  changRoberts,
  allCirculate,
  hirschbergSinclair,
  peterson,
  dolevKlaweRodeh,
  ringList,
  ringMax,
  echoElection,
  bully,
];
