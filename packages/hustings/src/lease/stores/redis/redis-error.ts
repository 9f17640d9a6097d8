/**
 * Turns an error of Redis or of its client library into a `StoreError` with advice. Errors of the client library contain the
 * command with its arguments, for example a password, and some servers quote arguments. So no such error is passed on, not
 * even as a cause, and quoted text is scrubbed.
 */
import { firstLine } from '@hustings/base';
import { StoreError, type StoreErrorKind } from '../../core/store-error.ts';
import { scrub } from '../../store-url.ts';
import { connectionFailure } from '../connection-error.ts';

interface Advice {
  readonly kind: StoreErrorKind;
  readonly advice: string;
}

const IN_URL = 'check them in the URL or the client';

const OF_REPLY: readonly (readonly [RegExp, Advice])[] = [
  [
    /^(NOAUTH|WRONGPASS|ERR invalid password|ERR AUTH)/,
    { kind: 'denied', advice: `refuses the user or the password; ${IN_URL}` },
  ],
  [
    /^NOPERM|The user executing the script can't/,
    {
      kind: 'denied',
      advice: 'refuses a command or a key; allow the user the keys and channels of the prefix',
    },
  ],
  [/^LOADING/, { kind: 'busy', advice: 'is still loading its data; the elector tries again' }],
  [/^BUSY/, { kind: 'busy', advice: 'is busy with a script; wait, or end it with SCRIPT KILL' }],
  [
    /^READONLY| -READONLY /,
    { kind: 'busy', advice: 'is a replica, which may lag behind; name the primary in the URL' },
  ],
  [
    /^(OOM|MISCONF|NOREPLICAS|MASTERDOWN|TRYAGAIN|CLUSTERDOWN)/,
    { kind: 'busy', advice: 'accepts no writes now; see its message' },
  ],
  [/^ERR max number of clients/, { kind: 'busy', advice: 'has too many clients; raise maxclients' }],
  [/^(MOVED|ASK) /, { kind: 'busy', advice: 'keeps redirecting requests; the elector tries again' }],
  [
    /cluster support disabled/,
    { kind: 'unusable', advice: 'is no Redis Cluster; write redis://… for a single server' },
  ],
  [
    /^LAYOUT/,
    {
      kind: 'unprepared',
      advice: 'has a layout that this version cannot use; install a later version of hustings',
    },
  ],
  [/^WRONGTYPE/, { kind: 'unusable', advice: 'has other data under these keys; use another prefix' }],
  [
    /^ERR DB index/,
    { kind: 'unusable', advice: 'has no such database; check the number at the end of the URL' },
  ],
];

/** What an error needs to know of the store. */
interface RedisOrigin {
  readonly label: string;
  readonly url: string;
  readonly credentials?: unknown;
}

export function redisError({ label, url, credentials }: RedisOrigin, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { name, message = '', code = '' } = error as { name?: string; message?: string; code?: string };
  const said = clean(message, url, label);
  if (name === 'ReplyError') {
    const known = OF_REPLY.find(([pattern]) => pattern.test(message))?.[1];
    if (known !== undefined) {
      const advice =
        credentials === undefined
          ? known.advice
          : known.advice.replace(IN_URL, 'check what the function credentials returns');
      return new StoreError(known.kind, `${label} ${advice} (${said})`);
    }
    return new StoreError('unusable', `${label} does not answer like Redis 6 or later: "${said}"`);
  }
  return connectionFailure(label, code === '' ? said : code);
}

function clean(message: string, url: string, label: string): string {
  const text = firstLine(message).split(/,? with args beginning with/)[0];
  return scrub(text, url, label).slice(0, 200);
}
