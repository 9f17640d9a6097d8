/** The registry of verbs, in the order of `hustings --help`. */
import type { VerbTable } from '../base/command/verb.ts';
import { CLAIMS_VERBS } from './claims/verbs.ts';
import { CLUSTER_VERBS } from './cluster/verbs.ts';
import { LAB_VERBS } from './lab/verbs.ts';
import { LEASE_VERBS } from './lease/verbs.ts';
import { QUEUE_VERBS } from './queue/verbs.ts';
import { STUDY_VERBS } from './study/verbs.ts';

export const VERBS: VerbTable = {
  ...LEASE_VERBS,
  ...CLUSTER_VERBS,
  ...STUDY_VERBS,
  ...CLAIMS_VERBS,
  ...QUEUE_VERBS,
  ...LAB_VERBS,
};
