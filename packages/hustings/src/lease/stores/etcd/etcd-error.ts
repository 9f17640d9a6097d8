/** Turns an answer of etcd, or its absence, into a `StoreError` with advice. */
import { StoreError, type StoreErrorKind } from '../../core/store-error.ts';
import { scrub } from '../../store-url.ts';
import { CONNECTION_ADVICE, type ConnectionAdvice } from '../connection-error.ts';
import type { HttpAnswer } from '../http-client.ts';
import type { EtcdSettings } from './etcd-settings.ts';

interface Advice {
  readonly kind: StoreErrorKind;
  readonly advice: string;
}

const OF_TEXT: readonly (readonly [RegExp, Advice])[] = [
  [
    /authentication failed|invalid auth token|user name is empty|user name not found|authentication is not enabled/,
    { kind: 'denied', advice: 'refuses the user or the password; check them in the URL' },
  ],
  [
    /permission denied/,
    { kind: 'denied', advice: 'denies a key; grant the role readwrite on the prefix of the store' },
  ],
  [
    /database space exceeded/,
    { kind: 'busy', advice: 'is full and accepts no writes; compact, defragment and disarm its alarm' },
  ],
  [/no leader|leader changed|timed out|not leader/, { kind: 'unreachable', advice: 'has no leader now' }],
  [/too many requests/, { kind: 'busy', advice: 'has too many requests; the elector tries again' }],
  [
    /request is too large|larger than max/,
    { kind: 'unusable', advice: 'refuses a request of this size; raise its max-request-bytes' },
  ],
];

/**
 * A server fault ends no candidacy, whatever its text: members that elect a leader answer with texts of their own, and so does a
 * proxy before them. Only an answer that etcd never gives does.
 */
export function refused({ label, url }: EtcdSettings, { status, body }: HttpAnswer): StoreError {
  const text = scrub(messageOf(body), url, label).slice(0, 200);
  const known = OF_TEXT.find(([pattern]) => pattern.test(text))?.[1];
  if (known !== undefined) return new StoreError(known.kind, `${label} ${known.advice} (${text})`);
  if (status === 429) return new StoreError('busy', `${label} has too many requests (429 "${text}")`);
  if (status >= 500 || status === 408) {
    return new StoreError('unreachable', `${label} cannot serve requests now (${status} "${text}")`);
  }
  return new StoreError('unusable', `${label} does not answer like etcd 3.4 or later: ${status} "${text}"`);
}

/** What a server of TLS says to a client without TLS, and the other way round. */
const OTHER_PROTOCOL = /ECONNRESET|EPIPE|EPROTO|ERR_SSL|HPE_/;

/** What to check if a member gave no answer. */
export function adviceOn({ label }: EtcdSettings, code: string): ConnectionAdvice {
  if (!OTHER_PROTOCOL.test(code)) return CONNECTION_ADVICE;
  const hint = label.startsWith('etcds:')
    ? 'if it speaks no TLS, write etcd:// instead of etcds://'
    : 'if it speaks TLS, write etcds:// instead of etcd://';
  const { distrusted, unreached } = CONNECTION_ADVICE;
  return { distrusted: `${distrusted}; ${hint}`, unreached: `${unreached}; ${hint}` };
}

/** The error in the body of an answer, which is JSON if etcd wrote it. */
export function messageOf(body: string): string {
  try {
    const { message, error } = JSON.parse(body);
    return String(message ?? error ?? body);
  } catch {
    return body;
  }
}
