/** Every algorithm, one line each, in the order in which lists show them. */
import type { AnyAlgorithm } from '../kernel/index.ts';
import { bully } from './complete/bully.ts';
import { bullyGrant } from './complete/bully-grant.ts';
import { bullyIds } from './complete/bully-ids.ts';
import { bullySuccessor } from './complete/bully-successor.ts';
import { echoElection } from './graph/echo-election.ts';
import { changRoberts } from './ring/chang-roberts.ts';
import { dolevKlaweRodeh } from './ring/dolev-klawe-rodeh.ts';
import { hirschbergSinclair } from './ring/hirschberg-sinclair.ts';
import { peterson } from './ring/peterson.ts';

export const registry: readonly AnyAlgorithm[] = [
  changRoberts,
  hirschbergSinclair,
  peterson,
  dolevKlaweRodeh,
  echoElection,
  bully,
  bullyIds,
  bullyGrant,
  bullySuccessor,
];
