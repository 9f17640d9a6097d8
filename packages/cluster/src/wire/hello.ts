/** What an unauthenticated peer says: checked, before anything depends on it. */
import { isWhole } from '@hustings/base';
import type { Hello } from './policy.ts';
import { PeerRefused } from './refusal.ts';

/** Throws a `PeerRefused`. */
export function parseHello({ cluster, id, to, incarnation, nonce }: Record<string, unknown>): Hello {
  if (typeof cluster !== 'string' || cluster.length > 63)
    throw new PeerRefused('frame', 'hello has no cluster');
  if (!isWhole(id, 0) || !isWhole(to, 0))
    throw new PeerRefused('identity', 'hello must have the ids of both members');
  if (!isRandom(incarnation) || !isRandom(nonce)) {
    throw new PeerRefused('identity', 'hello must have an incarnation and a nonce of 128 bits');
  }
  return { cluster, id, to, incarnation, nonce };
}

/** 128 bits as hexadecimal digits. */
export const isRandom = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

/** What an unauthenticated peer says, for a log. */
export function printable(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, 200).replace(/[^\x20-\x7e]/g, '?') : 'no reason';
}
