/**
 * What a leader shows to a resource: the election and the token of its term. Tokens are bigint or decimal text, never numbers: above
 * 2^53 two numbers that differ are one. A token is at least 1 and under 2^63, without sign, leading zero or space.
 *
 * As one text, `h0.NAME.TOKEN`, with the name in base64url, so that any name and any token give one text and one text
 * gives them back. This plain form proves nothing: whoever can write can write any token. signed-fence.ts adds the proof.
 */
import { checkName } from '../core/election-name.ts';
import { FenceError } from './fence-error.ts';

export interface Fence {
  readonly name: string;
  readonly token: bigint | string;
}

/** A fence that was let through, or read. */
export interface ReadFence extends Fence {
  readonly token: bigint;
}

const MOST_TOKEN = 2n ** 63n - 1n;
const MOST_TEXT = 512;

export function parseToken(token: unknown): bigint {
  const isText = typeof token === 'string' && /^[1-9][0-9]{0,18}$/.test(token);
  if (!isText && typeof token !== 'bigint') {
    throw malformed(
      'a token as bigint or decimal text',
      typeof token === 'string' ? shown(token) : typeof token,
    );
  }
  const value = BigInt(token as string | bigint);
  if (value < 1n || value > MOST_TOKEN) throw malformed('a token from 1 to 2^63 − 1', String(value));
  return value;
}

/** The same election and token, with both looked at. */
export function checkFence(fence: Fence): ReadFence {
  checkName(fence.name, 'an election');
  return { name: fence.name, token: parseToken(fence.token) };
}

export function plainFence(fence: Fence): string {
  return unsignedPart('h0', fence);
}

export function unsignedPart(version: string, fence: Fence): string {
  const { name, token } = checkFence(fence);
  return `${version}.${Buffer.from(name, 'utf8').toString('base64url')}.${token}`;
}

export interface FenceParts extends ReadFence {
  /** What a signature is about: all of the text before the last point. Null in the plain form. */
  readonly signed: string | null;
  readonly mac: Uint8Array | null;
}

/** Reads either form; whether the signature is right is for signed-fence.ts. */
export function splitFence(text: unknown): FenceParts {
  const expected = 'a fence as lead.fence gives it';
  if (typeof text !== 'string') throw malformed(expected, typeof text);
  if (text.length > MOST_TEXT) throw malformed(expected, `a text of ${text.length} characters`);
  const [version, name, token, mac, ...rest] = text.split('.');
  const isPlain = version === 'h0' && mac === undefined;
  const isSigned = version === 'h1' && mac !== undefined && rest.length === 0;
  if (token === undefined || !(isPlain || isSigned)) throw malformed(expected, shown(text));
  const parts = { name: nameOf(name), token: parseToken(token) };
  if (isPlain) return { ...parts, signed: null, mac: null };
  const bytes = bytesOf(mac);
  if (bytes.length !== 32) throw malformed('a signature of 32 bytes', `${bytes.length}`);
  return { ...parts, signed: `${version}.${name}.${token}`, mac: bytes };
}

/** Only the one spelling that the writer would choose: no padding, no stray bits. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw malformed('base64url', shown(text));
  return bytes;
}

function nameOf(text: string): string {
  const bytes = bytesOf(text);
  const name = bytes.toString('utf8');
  if (!Buffer.from(name, 'utf8').equals(bytes))
    throw malformed('the name of an election in UTF-8', shown(text));
  try {
    checkName(name, 'an election');
  } catch (cause) {
    throw new FenceError('malformed', `the fence names no election: ${(cause as Error).message}`, cause);
  }
  return name;
}

function malformed(expected: string, got: string): FenceError {
  return new FenceError(
    'malformed',
    `expected ${expected}, got ${got}: pass on lead.fence or lead.token unchanged`,
  );
}

/** A short piece: a whole signed fence in a log would let its reader use it. */
function shown(text: string): string {
  return JSON.stringify(text.length > 12 ? `${text.slice(0, 12)}…` : text);
}
