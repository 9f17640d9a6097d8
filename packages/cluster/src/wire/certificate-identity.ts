/**
 * The identity of a member in its certificate: the only URI among the subject alternative names that begins with
 * `hustings://`, which must be `hustings://CLUSTER/ID`. The common name and host names are not read.
 */
import type { TLSSocket } from 'node:tls';

export const identityUri = (cluster: string, id: number): string => `hustings://${cluster}/${id}`;

/** Null if there is no certificate, no such name, more than one, or another cluster. */
export function certifiedId(subjectAltName: string | undefined, cluster: string): number | null {
  // A quote means that a name has a comma or a quote in it, which could imitate another entry.
  if (subjectAltName === undefined || subjectAltName.includes('"')) return null;
  const uris = subjectAltName.split(', ').filter((entry) => entry.startsWith('URI:hustings://'));
  if (uris.length !== 1) return null;
  const match = /^URI:hustings:\/\/([^/]+)\/(0|[1-9]\d{0,9})$/.exec(uris[0]);
  return match !== null && match[1] === cluster ? Number(match[2]) : null;
}

/** The id in the certificate of the other end. */
export function certifiedPeer(socket: TLSSocket, cluster: string): number | null {
  return certifiedId(socket.getPeerX509Certificate()?.subjectAltName, cluster);
}
