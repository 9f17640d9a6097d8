/** The errors of a connection that could not be made, or broke, in the same words for every store. */
import { StoreError } from '../core/store-error.ts';
import { type HttpError, MAX_WAITING, TOO_MANY_WAIT } from './http-client.ts';

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/i;

/** `code` is that of the system or of OpenSSL, such as ECONNREFUSED or DEPTH_ZERO_SELF_SIGNED_CERT. */
export const isCertificateCode = (code: string): boolean => CERTIFICATE.test(code);

/** What to check. */
export interface ConnectionAdvice {
  readonly distrusted: string;
  readonly unreached: string;
}

export const CONNECTION_ADVICE: ConnectionAdvice = {
  distrusted: 'check its certificate, or give its CA',
  unreached: 'check that the server runs at this address',
};

export function connectionFailure(label: string, code: string, advice = CONNECTION_ADVICE): StoreError {
  return isCertificateCode(code)
    ? new StoreError('unusable', `${label} cannot be trusted (${code}); ${advice.distrusted}`)
    : new StoreError('unreachable', `${label} cannot be reached (${code}); ${advice.unreached}`);
}

/** An HTTP server that gave no answer. */
export function httpFailure(label: string, { code }: HttpError, advice = CONNECTION_ADVICE): StoreError {
  if (code !== TOO_MANY_WAIT) return connectionFailure(label, code, advice);
  return new StoreError(
    'busy',
    `${label} is slower than this process asks: ${MAX_WAITING} requests wait; hold fewer leases, or use a longer TTL`,
  );
}
