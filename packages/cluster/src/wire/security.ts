/** How members know each other: certificates, a secret, or nothing, which suffices on one machine. */
import { createPrivateKey, createSecretKey, type KeyObject, X509Certificate } from 'node:crypto';
import { errorMessage, InputError } from '@hustings/base';
import { isLoopback } from '../member-list/address.ts';

/** How the members of a cluster prove who they are. */
export type ClusterSecurity =
  /** PEM texts. The certificate names the member: `hustings://CLUSTER/ID` as a URI among its subject alternative names. */
  | { readonly type: 'tls'; readonly ca: string; readonly certificate: string; readonly key: string }
  /** At least 32 bytes, the same for all members. Frames are authenticated but not encrypted. */
  | { readonly type: 'secret'; readonly secret: string | Uint8Array }
  /** Every process that reaches the port can be any member. Beyond loopback it must be `insecure`. */
  | { readonly type: 'none'; readonly insecure?: boolean | undefined };

const MIN_SECRET_BYTES = 32;

/** Throws an `InputError` if the options lack a part or are not known, which is denied, not skipped. */
export function checkSecurity(security: ClusterSecurity, hosts: readonly string[]): void {
  const type: unknown = (security as Partial<ClusterSecurity> | null)?.type;
  if (type !== 'tls' && type !== 'secret' && type !== 'none') {
    throw new InputError(
      `security must be an object whose type is 'tls', 'secret' or 'none', not ${JSON.stringify(type) ?? typeof security}`,
    );
  }
  if (security.type === 'tls') checkCertificates(security);
  else if (security.type === 'none' && security.insecure !== true) {
    const open = hosts.find((host) => !isLoopback(host));
    if (open === undefined) return;
    throw new InputError(
      `a member without TLS and without a secret must listen on loopback, not on ${open}; give certificates or a secret`,
      { code: 'HUSTINGS_INSECURE', remedies: [{ option: 'insecure', value: 'true' }] },
    );
  }
}

function checkCertificates(security: Extract<ClusterSecurity, { type: 'tls' }>): void {
  for (const part of ['ca', 'certificate', 'key'] as const) {
    if (typeof security[part] !== 'string' || security[part].trim() === '') {
      throw new InputError(`${part} must be the text of a PEM file, and it is empty`);
    }
  }
  const read = <T>(part: 'ca' | 'certificate' | 'key', what: string, make: (text: string) => T): T => {
    try {
      return make(security[part]);
    } catch (error) {
      const reason = errorMessage(error);
      throw new InputError(`${part} must be ${what} in PEM, and cannot be read: ${reason}`, { cause: error });
    }
  };
  const certificate = (text: string): X509Certificate => new X509Certificate(text);
  read('ca', 'a certificate', certificate);
  const own = read('certificate', 'a certificate', certificate);
  const key = read('key', 'a private key without a passphrase', createPrivateKey);
  if (!own.checkPrivateKey(key))
    throw new InputError('key must be that of the certificate, and is another one');
}

/** When the certificate of a member ends, by the wall clock; null if it has none. `checkSecurity` has accepted it. */
export function certificateUntilMs(security: ClusterSecurity): number | null {
  return security.type === 'tls' ? Date.parse(new X509Certificate(security.certificate).validTo) : null;
}

/** A `KeyObject` does not show its bytes when it is printed. */
export function secretKey(security: ClusterSecurity): KeyObject | null {
  if (security.type !== 'secret') return null;
  const { secret } = security;
  const bytes = typeof secret === 'string' ? Buffer.from(secret.trim()) : Buffer.from(secret ?? []);
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new InputError(`the secret must have at least ${MIN_SECRET_BYTES} bytes, not ${bytes.length}`);
  }
  return createSecretKey(bytes);
}
