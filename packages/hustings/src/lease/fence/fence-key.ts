/** The keys that sign fences. Apart from signed-fence.ts, so that options can be checked without loading cryptography. */
import { InputError } from '@hustings/base';

/** At least 32 secret random bytes. A text counts as its UTF-8 bytes. */
export type FenceKey = string | Uint8Array;

/** The key, or the keys, that sign fences. */
export interface FenceKeys {
  readonly key?: FenceKey;
  /** During a key rotation: all keys in use. */
  readonly keys?: readonly FenceKey[];
}

const MIN_KEY_BYTES = 32;

/** Empty only if the options mention no key: an undefined key, for example from an unset variable, must not open the gate. */
export function fenceKeys(options: FenceKeys): readonly Uint8Array[] {
  const all = [...('key' in options ? [options.key] : []), ...(options.keys ?? [])];
  if (all.length === 0 && 'keys' in options) {
    throw new InputError('keys must contain at least one key; leave it out if fences are not signed');
  }
  return all.map(checkKey);
}

export function checkKey(key: unknown): Uint8Array {
  const bytes = typeof key === 'string' ? Buffer.from(key, 'utf8') : key;
  if (!(bytes instanceof Uint8Array)) {
    throw new InputError(
      `a fence key must be text or bytes, not ${typeof key}; use at least ${MIN_KEY_BYTES} random bytes`,
    );
  }
  if (bytes.length < MIN_KEY_BYTES) {
    throw new InputError(
      `a fence key must have at least ${MIN_KEY_BYTES} bytes, not ${bytes.length}; make one with openssl rand -hex 32`,
    );
  }
  return bytes;
}
