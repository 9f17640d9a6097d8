/** Turns an error of NATS or of its client library into a `StoreError` with advice. */
import { StoreError } from '../../core/store-error.ts';
import { scrub } from '../../store-url.ts';
import { connectionFailure } from '../connection-error.ts';
import type { NatsSettings } from './nats-settings.ts';

interface ClientError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: number | string;
  readonly cause?: ClientError;
}

/** JetStream's numbers of the error that a key has another revision than expected; the second, while a write is under way. */
const WRONG_REVISION: readonly unknown[] = [10_071, 10_164];
const STREAM_NOT_FOUND = 10_059;

export const isConflict = (error: unknown): boolean => WRONG_REVISION.includes((error as ClientError).code);
export const isMissingBucket = (error: unknown): boolean => (error as ClientError).code === STREAM_NOT_FOUND;

export function natsError({ label, url, bucket }: NatsSettings, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const names = namesOf(error as ClientError);
  const said = scrub(textOf(error as ClientError), url, label).slice(0, 200);
  const is = (name: string): boolean => names.includes(name);
  if (is('JetStreamNotEnabled')) {
    return new StoreError(
      'unusable',
      `${label} has no JetStream; enable it on the server, and for this account`,
    );
  }
  if (is('PermissionViolationError')) {
    const subjects = `$JS.API.>, $KV.${bucket}.> and hustings.${bucket}.>`;
    return new StoreError('denied', `${label} denies a subject; allow the user ${subjects} (${said})`);
  }
  if (is('AuthorizationError') || is('UserAuthenticationExpiredError')) {
    return new StoreError(
      'denied',
      `${label} refuses the user, password or token; check them in the URL (${said})`,
    );
  }
  if (isMissingBucket(error)) {
    const advice = 'a call that may create it does so; or create a key-value bucket with a history of 1';
    return new StoreError('unprepared', `${label} has no bucket ${bucket}; ${advice}`);
  }
  if (is('JetStreamApiError') || is('JetStreamError')) {
    return new StoreError('busy', `${label} refuses a request now (${said})`);
  }
  return connectionFailure(label, said);
}

function namesOf({ name = '', cause }: ClientError): string[] {
  return cause === undefined ? [name] : [name, ...namesOf(cause)];
}

function textOf({ message = '', cause }: ClientError): string {
  const inner = cause === undefined ? '' : textOf(cause);
  return inner === '' || message.includes(inner) ? message : `${message}: ${inner}`;
}
