/**
 * Turns what went wrong between this process and the API server into a `StoreError` with advice. No message has a token: the
 * server never quotes one, and messages of Node name addresses alone.
 */
import { firstLine } from '@hustings/base';
import { StoreError, type StoreErrorKind } from '../../core/store-error.ts';
import { httpFailure } from '../connection-error.ts';
import type { HttpError } from '../http-client.ts';

/** The parts of an answer that is no success. */
export interface RefusedReply {
  readonly status: number;
  /** The message of the server's Status object; '' if the answer is none. */
  readonly message: string;
  readonly retryAfter: string | undefined;
}

/** What was asked, for the advice on rights. */
export interface Asked {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'delete';
  readonly namespace: string;
  /** The name of the Lease object; '' for all. */
  readonly object: string;
}

/** The rights that a candidate needs, as lines of a Role. */
export const ROLE_RULE =
  '{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list, watch, create, update, delete]}';

export function refusalError(label: string, source: string, asked: Asked, refusal: RefusedReply): StoreError {
  const { status, message, retryAfter } = refusal;
  const { verb, namespace, object } = asked;
  const said = message === '' ? `status ${status}` : firstLine(message).slice(0, 300);
  const error = (kind: StoreErrorKind, advice: string): StoreError =>
    new StoreError(kind, `${label} ${advice} (${said})`);
  if (message === '' && status !== 429 && status < 500) {
    return error('unusable', 'does not answer like a Kubernetes API server; check the server address');
  }
  switch (status) {
    case 401:
      return error('denied', `refuses the token or certificate of ${source}; renew it, it is read again`);
    case 403:
      return error(
        'denied',
        `denies "${verb}" on leases.coordination.k8s.io${object === '' ? '' : ` ${object}`} in the namespace ` +
          `${namespace}; add to a Role of this namespace, and bind it: ${ROLE_RULE}`,
      );
    case 404:
      return /^namespaces? /.test(message)
        ? error('unprepared', `has no such namespace; run kubectl create namespace ${namespace}`)
        : error('unusable', 'has no leases in coordination.k8s.io/v1; it needs Kubernetes 1.14 or later');
    case 413:
    case 422:
      return error('unusable', 'refuses the Lease object; keep fewer terms, or register fewer candidates');
    case 429:
      return error(
        'busy',
        `has too many requests${retryAfter === undefined ? '' : ` and asks for ${retryAfter} s without any`}; ` +
          'the elector tries again',
      );
    default:
      return status >= 500
        ? error('unreachable', 'cannot serve the request now; the elector tries again')
        : error('unusable', 'refuses the request; see its message');
  }
}

export function connectionError(label: string, source: string, error: HttpError): StoreError {
  return httpFailure(label, error, {
    distrusted: `check the CA of ${source}, and the host name that it is for`,
    unreached: `check that an API server runs at the address of ${source}`,
  });
}
