/** How members know each other: certificates, a secret, or nothing, which suffices on one machine. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { InputError } from '../../errors/hustings-error.ts';
import { isLoopback } from '../member-list/address.ts';

/** How the members of a cluster prove who they are. */
export type ClusterSecurity =
  /** PEM texts. The certificate names the member: `hustings://CLUSTER/ID` as a URI among its subject alternative names. */
  | { readonly type: 'tls'; readonly ca: string; readonly certificate: string; readonly key: string }
  /** At least 32 bytes, the same for all members. Frames are authenticated but not encrypted. */
  | { readonly type: 'secret'; readonly secret: string | Uint8Array }
  /** Every process that reaches the port can be any member. Beyond loopback it must be `insecure`. */
  | { readonly type: 'none'; readonly insecure?: boolean | undefined };

const LEAST_SECRET_BYTES = 32;

/** Throws an `InputError` if the options lack a part, which is denied, not skipped. */
export function checkSecurity(security: ClusterSecurity, hosts: readonly string[]): void {
  if (security.type === 'tls') {
    for (const part of ['ca', 'certificate', 'key'] as const) {
      if (typeof security[part] !== 'string' || security[part].trim() === '') {
        throw new InputError(`${part} must be the text of a PEM file, and it is empty`);
      }
    }
  } else if (security.type === 'none' && security.insecure !== true) {
    const open = hosts.find((host) => !isLoopback(host));
    if (open === undefined) return;
    throw new InputError(
      `a member without TLS and without a secret must listen on loopback, not on ${open}; give certificates or a secret`,
      { code: 'HUSTINGS_INSECURE', remedies: [{ option: 'insecure', value: 'true' }] },
    );
  }
}

/** A `KeyObject` does not show its bytes when it is printed. */
export function secretKey(security: ClusterSecurity): KeyObject | null {
  if (security.type !== 'secret') return null;
  const { secret } = security;
  const bytes = typeof secret === 'string' ? Buffer.from(secret.trim()) : Buffer.from(secret ?? []);
  if (bytes.length < LEAST_SECRET_BYTES) {
    throw new InputError(`the secret must have at least ${LEAST_SECRET_BYTES} bytes, not ${bytes.length}`);
  }
  return createSecretKey(bytes);
}
