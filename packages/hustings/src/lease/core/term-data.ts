/**
 * What a leader lets others read: the metadata of its term, and the checkpoint of the election. Metadata belongs to one term.
 * The checkpoint outlives it: only the holder writes it, and the next holder gets it with the lease.
 */

import { InputError, isRecord } from '@hustings/base';
import { utf8Length } from './election-name.ts';

/** A value that JSON can express. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** What a leader tells about itself, such as its address and labels: an object of at most 4,096 bytes as JSON text. */
export type LeaderMetadata = { readonly [key: string]: JsonValue };

/** A change of metadata or checkpoint that a renewal carries. A field that is absent stays as it is. */
export interface TermUpdate {
  /** The updates of a term have ascending numbers from 1: a delayed renewal never undoes a later update. */
  readonly number: number;
  readonly metadata?: LeaderMetadata;
  /** '' removes the checkpoint. */
  readonly checkpoint?: string;
}

/** The largest size of metadata as JSON, and of a checkpoint, in UTF-8. */
export const MAX_BYTES = 4_096;

/** A copy as the store will return it. */
export function checkMetadata(metadata: unknown): LeaderMetadata {
  if (!isRecord(metadata)) {
    const found = metadata === null ? 'null' : Array.isArray(metadata) ? 'a list' : typeof metadata;
    throw new InputError(`metadata must be an object such as { address: 'host:80' }, not ${found}`);
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(metadata);
  } catch (error) {
    throw new InputError(`metadata must be an object that JSON can express: ${(error as Error).message}`);
  }
  const copy: unknown = text === undefined ? null : JSON.parse(text);
  if (!isRecord(copy)) {
    throw new InputError('metadata must be an object in JSON, but its toJSON gives something else');
  }
  checkBytes(text!, 'metadata must be JSON text');
  return copy as LeaderMetadata;
}

export function checkCheckpoint(checkpoint: unknown): asserts checkpoint is string {
  if (typeof checkpoint !== 'string') {
    throw new InputError(`a checkpoint must be a text, not ${typeof checkpoint}; use JSON.stringify`);
  }
  if (checkpoint.includes('\0') || /\p{Cs}/u.test(checkpoint)) {
    throw new InputError('a checkpoint must have neither NUL nor an unpaired surrogate; encode it as base64');
  }
  checkBytes(checkpoint, 'a checkpoint must be a text');
}

function checkBytes(text: string, what: string): void {
  const bytes = utf8Length(text);
  if (bytes <= MAX_BYTES) return;
  throw new InputError(
    `${what} of at most ${MAX_BYTES} bytes, not ${bytes}; store the rest elsewhere and refer to it`,
  );
}

/**
 * The text that a store keeps. The nonce binds it to its term: an earlier version of hustings grants a lease without
 * replacing what it does not know.
 */
export function metadataText(nonce: string, metadata: LeaderMetadata | null | undefined): string | null {
  return metadata === null || metadata === undefined ? null : JSON.stringify([nonce, metadata]);
}

/** Null if the text is of another term. */
export function metadataOf(nonce: string | undefined, text: string | null): LeaderMetadata | null {
  if (text === null) return null;
  const [owner, metadata] = JSON.parse(text) as [string, LeaderMetadata];
  return owner === nonce ? metadata : null;
}
