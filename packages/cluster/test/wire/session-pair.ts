import { createSecretKey } from 'node:crypto';
import { STRICT, type WirePolicy } from '../../src/wire/policy.ts';
import { Session, type SessionEffect, type SessionOptions } from '../../src/wire/session.ts';

export const SECRET = createSecretKey(Buffer.alloc(32, 's'));
export const hex = (seed: number): string => seed.toString(16).padStart(32, '0');

let fresh = 1;

/** A session of member 1, which dials, or member 2, which listens, in the cluster `demo`, with a fresh nonce. */
export function session(role: SessionOptions['role'], options: Partial<SessionOptions> = {}): Session {
  const id = role === 'dialler' ? 1 : 2;
  return new Session({
    role,
    cluster: 'demo',
    id,
    incarnation: hex(1_000 + id),
    nonce: hex(fresh++),
    version: 1,
    digest: 'd',
    ids: () => new Set([1, 2, 3]),
    settings: {},
    expected: role === 'dialler' ? 2 : null,
    certified: undefined,
    secret: SECRET,
    policy: STRICT,
    resumption: () => ({ next: 1, received: 0 }),
    ...options,
  });
}

export const bytesOf = (effects: readonly SessionEffect[]): Buffer =>
  Buffer.concat(effects.flatMap((effect) => (effect.type === 'send' ? [effect.bytes] : [])));

/** The types of the effects, with the reason of a refusal. */
export const kindsOf = (effects: readonly SessionEffect[]): string[] =>
  effects.map((effect) => (effect.type === 'refused' ? `refused: ${effect.reason}` : effect.type));

/** What each side has sent and seen. */
export interface Conversation {
  readonly toListener: Buffer[];
  readonly toDialler: Buffer[];
  readonly dialler: SessionEffect[];
  readonly listener: SessionEffect[];
}

/** Carries bytes to and fro until both are silent. `change` may alter what passes. */
export function converse(
  dialler: Session,
  listener: Session,
  change: (bytes: Buffer, to: 'dialler' | 'listener') => Buffer = (bytes) => bytes,
): Conversation {
  const seen: Conversation = { toListener: [], toDialler: [], dialler: [], listener: [] };
  let toListener = bytesOf(note(seen.dialler, dialler.start()));
  let toDialler = bytesOf(note(seen.listener, listener.start()));
  while (toListener.length + toDialler.length > 0) {
    if (toListener.length > 0) seen.toListener.push(toListener);
    const answer = note(seen.listener, listener.receive(change(toListener, 'listener')));
    toDialler = Buffer.concat([toDialler, bytesOf(answer)]);
    if (toDialler.length > 0) seen.toDialler.push(toDialler);
    toListener = bytesOf(note(seen.dialler, dialler.receive(change(toDialler, 'dialler'))));
    toDialler = Buffer.alloc(0);
  }
  return seen;
}

function note(list: SessionEffect[], effects: SessionEffect[]): SessionEffect[] {
  list.push(...effects);
  return effects;
}

/** A policy with one check replaced. */
export const without = (part: Partial<WirePolicy>): WirePolicy => ({ ...STRICT, ...part });

export const data = (sender: Session, number = 1, frame: object = { type: 'message', n: number }): Buffer =>
  sender.encode('data', JSON.stringify({ number, ack: 0, frame }));
