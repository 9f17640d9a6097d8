/**
 * A fence that a sink can trust: `h1.NAME.TOKEN.MAC`, where MAC is the HMAC-SHA-256 of the rest under a key that leaders and
 * sinks share. Without the key, nobody can create a token, raise one, or use it for another election.
 *
 * Not proved: that the bearer is the leader. A stolen fence is valid until the sink has seen a newer one: send it over TLS.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { InputError } from '@hustings/base';
import { type Fence, type ReadFence, splitFence, unsignedPart } from './fence.ts';
import { FenceError } from './fence-error.ts';
import { checkKey, type FenceKey, type FenceKeys, fenceKeys } from './fence-key.ts';

/** The signed text form of a fence. */
export function signFence({ key, ...fence }: Fence & { readonly key: FenceKey }): string {
  const signed = unsignedPart('h1', fence);
  return `${signed}.${mac(checkKey(key), signed).toString('base64url')}`;
}

/** Throws a `FenceError`: malformed, forged (another key, or none), foreign (not the election `name`). */
export function readFence(text: string, options: FenceKeys & { readonly name?: string }): ReadFence {
  const keys = fenceKeys(options);
  if (keys.length === 0) throw new InputError('key or keys is required to verify a signed fence');
  const { name, token, signed, mac: given } = splitFence(text);
  if (signed === null || given === null) {
    throw new FenceError(
      'forged',
      'the fence must be signed; give the elector the same fenceKey as this sink',
    );
  }
  // Every key is tried, so that the time does not reveal which key matched.
  const matches = keys.map((key) => timingSafeEqual(mac(key, signed), given));
  if (!matches.includes(true)) {
    throw new FenceError(
      'forged',
      'the signature of the fence is wrong; the fence was changed, or signed with a key that this sink does not have',
    );
  }
  if (options.name !== undefined && name !== options.name) throw foreignError(options.name, name);
  return { name, token };
}

export function foreignError(expected: string, got: string): FenceError {
  return new FenceError(
    'foreign',
    `the fence must be of the election ${JSON.stringify(expected)}, not ${JSON.stringify(got)}; use a separate resource per election`,
  );
}

function mac(key: Uint8Array, signed: string): Buffer {
  return createHmac('sha256', key).update(`hustings fence\n${signed}`).digest();
}
