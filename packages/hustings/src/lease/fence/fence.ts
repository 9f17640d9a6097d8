/**
 * What a leader presents to a resource: the election and the token of its term. Tokens are bigint or decimal text, never
 * numbers, because numbers above 2^53 are not exact. A token is from 1 to 2^63 − 1, without sign, leading zero or space.
 *
 * The text form is `h0.NAME.TOKEN`, with the name in base64url. Each name and token has exactly one text. This plain form
 * proves nothing: anybody can write any token. signed-fence.ts adds the proof.
 */
import { checkName } from '../core/election-name.ts';
import { FenceError } from './fence-error.ts';

/** The election and the token of a term. */
export interface Fence {
  readonly name: string;
  readonly token: bigint | string;
}

/** A fence that was read. */
export interface ReadFence extends Fence {
  readonly token: bigint;
}

const MAX_TOKEN = 2n ** 63n - 1n;
const MAX_TEXT = 512;

/** A token as bigint. Throws a `FenceError` unless it is a bigint or decimal text from 1 to 2^63 − 1. */
export function parseToken(token: unknown): bigint {
  const isText = typeof token === 'string' && /^[1-9][0-9]{0,18}$/.test(token);
  if (!isText && typeof token !== 'bigint') {
    throw malformed(
      'the token must be a bigint or decimal text',
      typeof token === 'string' ? shown(token) : typeof token,
    );
  }
  const value = BigInt(token as string | bigint);
  if (value < 1n || value > MAX_TOKEN) throw malformed('the token must be from 1 to 2^63 − 1', String(value));
  return value;
}

/** The same election and token, both validated. */
export function checkFence(fence: Fence): ReadFence {
  checkName(fence.name, 'an election');
  return { name: fence.name, token: parseToken(fence.token) };
}

/** The plain text form of a fence, without a signature. */
export function plainFence(fence: Fence): string {
  return unsignedPart('h0', fence);
}

export function unsignedPart(version: string, fence: Fence): string {
  const { name, token } = checkFence(fence);
  return `${version}.${Buffer.from(name, 'utf8').toString('base64url')}.${token}`;
}

export interface FenceParts extends ReadFence {
  /** The signed part: the text before the last dot. Null in the plain form. */
  readonly signed: string | null;
  readonly mac: Uint8Array | null;
}

/** Reads both forms. signed-fence.ts verifies the signature. */
export function splitFence(text: unknown): FenceParts {
  const rule = 'the fence must be the text of lead.fence';
  if (typeof text !== 'string') throw malformed(rule, typeof text);
  if (text.length > MAX_TEXT) throw malformed(rule, `a text of ${text.length} characters`);
  const [version, name, token, mac, ...rest] = text.split('.');
  const isPlain = version === 'h0' && mac === undefined;
  const isSigned = version === 'h1' && mac !== undefined && rest.length === 0;
  if (token === undefined || !(isPlain || isSigned)) throw malformed(rule, shown(text));
  const parts = { name: nameOf(name), token: parseToken(token) };
  if (isPlain) return { ...parts, signed: null, mac: null };
  const bytes = bytesOf(mac);
  if (bytes.length !== 32) throw malformed('the signature must have 32 bytes', `${bytes.length}`);
  return { ...parts, signed: `${version}.${name}.${token}`, mac: bytes };
}

/** Accepts only the canonical encoding: no padding, no stray bits. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw malformed('the name must be base64url', shown(text));
  return bytes;
}

function nameOf(text: string): string {
  const bytes = bytesOf(text);
  const name = bytes.toString('utf8');
  if (!Buffer.from(name, 'utf8').equals(bytes))
    throw malformed('the name of the election must be UTF-8', shown(text));
  try {
    checkName(name, 'an election');
  } catch (cause) {
    throw new FenceError('malformed', `the fence names no election: ${(cause as Error).message}`, cause);
  }
  return name;
}

function malformed(rule: string, got: string): FenceError {
  return new FenceError('malformed', `${rule}, not ${got}; pass lead.fence or lead.token unchanged`);
}

/** Shortened: a reader of a log must not be able to use a signed fence. */
function shown(text: string): string {
  return JSON.stringify(text.length > 12 ? `${text.slice(0, 12)}…` : text);
}
