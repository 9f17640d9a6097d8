/** Turns an answer of ZooKeeper, or its absence, into a `StoreError` with advice. */
import { StoreError } from '../../core/store-error.ts';
import { connectionFailure, isCertificateCode } from '../connection-error.ts';
import { AUTH_FAILED, NO_AUTH, SESSION_EXPIRED, ZookeeperAnswerError } from './zookeeper-protocol.ts';
import type { ZookeeperSettings } from './zookeeper-settings.ts';

type Labeled = Pick<ZookeeperSettings, 'label'>;

/** `code` is that of the system, or a text of the session. */
export function connectFailure({ label }: Labeled, code: string, answer = 0): StoreError {
  if (answer === AUTH_FAILED) return refusedDigest(label);
  if (code === 'closed by the server' || code === 'ECONNRESET') {
    return new StoreError(
      'unreachable',
      `${label} accepts no session now (${code}); check that a majority of its servers runs, that none is read-only, and that ` +
        'the limit of connections is not reached',
    );
  }
  if (isCertificateCode(code) || /^E[A-Z]+$/.test(code)) return connectionFailure(label, code);
  return new StoreError(
    'unreachable',
    `${label} cannot be used now (${code}); check that ZooKeeper runs at this address`,
  );
}

export const lateAnswer = ({ label, timeoutMs }: ZookeeperSettings): StoreError =>
  new StoreError(
    'unreachable',
    `${label}: no answer within ${timeoutMs} ms; check the network, the load of the servers, and that a majority of them runs`,
  );

export const sessionExpired = ({ label }: Labeled): StoreError =>
  new StoreError('unreachable', `${label} has ended the session; the next call begins a new one`);

export function zookeeperError(settings: ZookeeperSettings, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { label, prefix, digest } = settings;
  const code = error instanceof ZookeeperAnswerError ? error.code : null;
  if (code === SESSION_EXPIRED) return sessionExpired(settings);
  if (code === AUTH_FAILED) return refusedDigest(label);
  if (code === NO_AUTH) {
    const advice =
      digest === ''
        ? 'give the user and the password of its ACL in the URL'
        : 'check the user and the password in the URL, and the ACL of the node';
    return new StoreError('denied', `${label} denies the node ${prefix} or one below it; ${advice}`);
  }
  return new StoreError(
    'unusable',
    `${label} does not answer like ZooKeeper 3.5.3 or later (${code === null ? String(error) : `error ${code}`})`,
  );
}

const refusedDigest = (label: string): StoreError =>
  new StoreError('denied', `${label} refuses the user or the password; check them in the URL`);
