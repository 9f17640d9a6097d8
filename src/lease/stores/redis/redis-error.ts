/**
 * What went wrong, in our words. Errors of the driver carry the command and its arguments, a password among them, and
 * some servers quote arguments: so none is passed on, as cause or otherwise, and what is quoted is cleaned.
 */
import type { StoreErrorKind } from '../../core/store-error-kind.ts';
import { StoreError } from '../../store-error.ts';
import { scrub } from '../../store-url.ts';

interface Advice {
  readonly storeError: StoreErrorKind;
  readonly what: string;
}

const OF_REPLY: readonly (readonly [RegExp, Advice])[] = [
  [
    /^(NOAUTH|WRONGPASS|ERR invalid password|ERR AUTH)/,
    { storeError: 'denied', what: 'refuses the user or the password: check them in the URL' },
  ],
  [
    /^NOPERM|The user executing the script can't/,
    {
      storeError: 'denied',
      what: 'refuses a command or a key: allow the user the keys and channels of the prefix',
    },
  ],
  [/^LOADING/, { storeError: 'busy', what: 'is still loading its data: it will answer when that is done' }],
  [/^BUSY/, { storeError: 'busy', what: 'is busy with a script: wait, or end it with SCRIPT KILL' }],
  [/^READONLY/, { storeError: 'busy', what: 'is a replica, which takes no writes: name the primary' }],
  [
    /^(OOM|MISCONF|NOREPLICAS|MASTERDOWN|TRYAGAIN|CLUSTERDOWN)/,
    { storeError: 'busy', what: 'takes no writes at present' },
  ],
  [
    /^ERR max number of clients/,
    { storeError: 'busy', what: 'has as many clients as it takes: raise maxclients' },
  ],
  [
    /^(MOVED|ASK|CROSSSLOT)/,
    {
      storeError: 'unusable',
      what: 'is part of a cluster, which this store does not follow: name a single server',
    },
  ],
  [
    /^WRONGTYPE/,
    { storeError: 'unusable', what: 'has something else under our keys: choose another prefix' },
  ],
  [
    /^ERR DB index/,
    { storeError: 'unusable', what: 'has no such database: check the number at the end of the URL' },
  ],
];

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/;

export function redisError({ label, url }: { label: string; url: string }, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { name, message = '', code = '' } = error as { name?: string; message?: string; code?: string };
  const said = clean(message, url, label);
  if (name === 'ReplyError') {
    const advice = OF_REPLY.find(([pattern]) => pattern.test(message))?.[1];
    if (advice !== undefined) return new StoreError(advice.storeError, `${label} ${advice.what} (${said})`);
    return new StoreError(
      'unusable',
      `${label} does not answer as Redis 6 or later would: it says "${said}"`,
    );
  }
  if (CERTIFICATE.test(code)) {
    return new StoreError(
      'unusable',
      `${label} cannot be trusted (${code}): check its certificate, or give its CA`,
    );
  }
  const cause = code === '' ? said : code;
  return new StoreError(
    'unreachable',
    `${label} cannot be reached (${cause}): is the server running, and is this its address?`,
  );
}

function clean(message: string, url: string, label: string): string {
  const text = message.split('\n')[0].split(/,? with args beginning with/)[0];
  return scrub(text, url, label).slice(0, 200);
}
