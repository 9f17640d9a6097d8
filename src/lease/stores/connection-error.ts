/** The errors of a connection that could not be made, or broke, in the same words for every store. */
import { StoreError } from '../core/store-error.ts';

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/i;

/** `code` is that of the system or of OpenSSL, such as ECONNREFUSED or DEPTH_ZERO_SELF_SIGNED_CERT. */
export const isCertificateCode = (code: string): boolean => CERTIFICATE.test(code);

export function connectionFailure(label: string, code: string): StoreError {
  if (isCertificateCode(code)) {
    const advice = 'check its certificate, or give its CA';
    return new StoreError('unusable', `${label} cannot be trusted (${code}); ${advice}`);
  }
  return new StoreError(
    'unreachable',
    `${label} cannot be reached (${code}); check that the server runs at this address`,
  );
}
