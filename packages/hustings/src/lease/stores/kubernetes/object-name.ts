/**
 * The name of the Lease object of an election. A name that Kubernetes allows stays as it is, so that other programs can share
 * the election. Any other name becomes a readable part and a hash, and the object has the name of the election in an annotation.
 */
import { createHash } from 'node:crypto';

/** Names with this beginning are ours, so an election with such a name is encoded too. */
const RESERVED = 'x-hustings-';

export const SETTINGS_OBJECT = `${RESERVED}settings`;

export const leasesPath = (namespace: string): string =>
  `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

const ALLOWED = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_LENGTH = 253;
/** 160 bits: two names of elections never meet. */
const HASH_DIGITS = 40;
const READABLE_LENGTH = 40;

export function objectName(election: string): string {
  if (election.length <= MAX_LENGTH && ALLOWED.test(election) && !election.startsWith(RESERVED)) {
    return election;
  }
  const readable = election
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, READABLE_LENGTH)
    .replaceAll(/^-|-$/g, '');
  const hash = createHash('sha256').update(election).digest('hex').slice(0, HASH_DIGITS);
  return `${RESERVED}${readable === '' ? '' : `${readable}-`}${hash}`;
}
