/** Random and mutated bytes against sessions in every state. */

import { Random } from '../../../study/src/kernel/random.ts';
import { encodeFrame } from '../../src/wire/frame-codec.ts';
import { Link } from '../../src/wire/link.ts';
import { PeerRefused } from '../../src/wire/refusal.ts';
import type { Session, SessionEffect } from '../../src/wire/session.ts';
import { bytesOf, converse, SECRET, session } from './session-pair.ts';

export interface FuzzResult {
  readonly frames: number;
  /** Frames that a session took, and that it refused. */
  readonly accepted: number;
  readonly refused: number;
  /** The most bytes that a session has kept of an incomplete frame. */
  readonly maxHeldBytes: number;
}

interface Target {
  readonly session: Session;
  readonly link: Link;
}

/** A session before its hello, after it, or proved; with and without a secret. */
function createTarget(random: Random): Target {
  const link = new Link();
  const secret = random.below(20) === 0 ? SECRET : null;
  const role = random.below(2) === 0 ? 'dialler' : 'listener';
  const target = session(role, { secret, resumption: (_, incarnation) => link.resumption(incarnation) });
  const state = random.below(8);
  // A fresh session is the cheapest; a proved one lives until a frame is refused.
  if (state < 5) {
    target.start();
    return { session: target, link };
  }
  const other = session(role === 'dialler' ? 'listener' : 'dialler', { secret });
  if (state === 7) {
    const [dialler, listener] = role === 'dialler' ? [target, other] : [other, target];
    const seen = converse(dialler, listener);
    apply({ session: target, link }, seen[role]);
  } else {
    const hello = bytesOf(role === 'listener' ? other.start() : other.receive(bytesOf(target.start())));
    target.receive(hello);
  }
  return { session: target, link };
}

/** What a transport does with the effects. False if the peer is refused. */
function apply({ link }: Target, effects: readonly SessionEffect[]): boolean {
  try {
    for (const effect of effects) {
      if (effect.type === 'refused' || effect.type === 'closed-by-peer') return false;
      if (effect.type === 'proved') link.connect(effect.incarnation, effect.own, effect.theirs);
      if (effect.type === 'data' || effect.type === 'heartbeat') link.acknowledge(effect.ack);
      if (effect.type === 'data') link.accept(effect.number);
    }
    return true;
  } catch (error) {
    if (error instanceof PeerRefused) return false;
    throw error;
  }
}

const SEEDS = [
  encodeFrame('hello', '{"cluster":"demo","id":1,"to":2,"incarnation":"00","nonce":"00"}'),
  encodeFrame('ready', '{"version":1,"digest":"d","next":1,"received":0}'),
  encodeFrame('heartbeat', '{"ack":0}'),
  encodeFrame('data', '{"number":1,"ack":0,"frame":{"type":"message","n":[1,{"a":"b"}]}}'),
  encodeFrame('refusal', '{"reason":"mac","text":"no"}'),
];

function mutated(random: Random): Buffer {
  if (random.below(8) === 0) return randomBytes(random, random.below(200));
  const bytes = Buffer.from(SEEDS[random.below(SEEDS.length)]);
  for (let changes = random.below(4); changes > 0; changes--) {
    bytes[random.below(bytes.length)] = random.below(256);
  }
  if (random.below(10) === 0) return bytes.subarray(0, random.below(bytes.length));
  // A right length with wrong content reaches deeper.
  if (random.below(2) === 0) bytes.writeUInt32BE(bytes.length - 4, 0);
  return bytes;
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}

/** Throws what a session throws: it should throw nothing. */
export function fuzz(frames: number, seed: number): FuzzResult {
  // Most of the time would go into the stacks of refusals.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return fuzzed(frames, new Random(seed));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function fuzzed(frames: number, random: Random): FuzzResult {
  let target = createTarget(random);
  const result = { frames, accepted: 0, refused: 0, maxHeldBytes: 0 };
  for (let count = 0; count < frames; count++) {
    const goesOn = apply(target, target.session.receive(mutated(random)));
    result[goesOn ? 'accepted' : 'refused']++;
    result.maxHeldBytes = Math.max(result.maxHeldBytes, target.session.heldBytes);
    if (!goesOn) target = createTarget(random);
  }
  return result;
}
