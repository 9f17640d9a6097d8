/**
 * The bytes of a checkpoint: a line with the version, the length of the header, the header as JSON in UTF-16, its checksum,
 * the arrays of states, and a checksum of everything before it. The header is verified before its lengths are used.
 *
 * Guarantees: bytes that were cut off, added or changed are refused, in one line.
 */
import { InputError } from '../../kernel/errors.ts';
import type { Checkpoint } from './checkpoint.ts';
import { Checksum } from './checksum.ts';

const NAME = 'hustings checkpoint ';
const VERSION = '2';
const FIRST_LINE = `${NAME}${VERSION}\n`;
const CHECKSUM_BYTES = 8;
/** V8 has no longer texts. */
const MAX_HEADER = 2 ** 29;

/** A checkpoint whose states are replaced by the lengths of their arrays. */
interface Header extends Omit<Checkpoint, 'search'> {
  readonly search: Omit<Checkpoint['search'], 'states'>;
  readonly counts: readonly number[];
  readonly pairs: readonly number[];
  readonly rows: readonly number[];
}

/** Fills an array with the next bytes, and returns their number, which is smaller only at the end. */
export type ReadBytes = (into: Uint8Array) => number;

/** The bytes of a checkpoint, in parts. Most are in the memory of the search: nothing is copied. */
export function* checkpointBytes(checkpoint: Checkpoint): Generator<Uint8Array> {
  const { facts, search, tally } = checkpoint;
  const { states, ...rest } = search;
  const { counts, pairs, rows } = states;
  const header: Header = {
    facts,
    tally,
    search: rest,
    counts,
    pairs: pairs.map(({ length }) => length),
    rows: rows.map(({ length }) => length),
  };
  const text = unitsOf(JSON.stringify(header));
  const checksum = new Checksum();
  const sum = (part: Int32Array | Uint16Array | Uint8Array): Uint8Array => {
    checksum.add(part);
    return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  };
  yield sum(Uint8Array.from(unitsOf(FIRST_LINE)));
  yield sum(Int32Array.of(text.length));
  yield sum(text);
  yield checksum.bytes;
  for (const part of [...pairs, ...rows]) yield sum(part);
  yield checksum.bytes;
}

/** Reads the bytes of a checkpoint. */
export function readCheckpoint(read: ReadBytes): Checkpoint {
  const checksum = new Checksum();
  const fill = <A extends Int32Array | Uint16Array | Uint8Array>(into: A): A => {
    if (read(new Uint8Array(into.buffer, into.byteOffset, into.byteLength)) < into.byteLength) {
      throw new InputError('the checkpoint is truncated: its last bytes are missing');
    }
    checksum.add(into);
    return into;
  };
  const verify = (): void => {
    const expected = checksum.bytes;
    const found = new Uint8Array(CHECKSUM_BYTES);
    if (read(found) < CHECKSUM_BYTES) {
      throw new InputError('the checkpoint is truncated: its last bytes are missing');
    }
    if (found.some((byte, k) => byte !== expected[k])) {
      throw new InputError('the checkpoint is damaged: its checksum does not match');
    }
  };
  const first = new Uint8Array(FIRST_LINE.length);
  const line = textOf(first.subarray(0, read(first)));
  if (!line.startsWith(NAME)) throw new InputError('it is not a checkpoint of hustings');
  if (line !== FIRST_LINE) {
    throw new InputError(`the checkpoint has format ${line.slice(NAME.length).trim()}, not ${VERSION}`);
  }
  checksum.add(first);
  const [length] = fill(new Int32Array(1));
  if (length < 0 || length > MAX_HEADER) {
    throw new InputError('the checkpoint is damaged: the length of its header is impossible');
  }
  const text = fill(new Uint16Array(length));
  verify();
  const { counts, facts, pairs, rows, search, tally }: Header = JSON.parse(textOf(text));
  const states = {
    counts,
    pairs: pairs.map((size) => fill(new Int32Array(size))),
    rows: rows.map((size) => fill(new Uint16Array(size))),
  };
  verify();
  if (read(new Uint8Array(1)) > 0) throw new InputError('the checkpoint is damaged: bytes follow its end');
  return { facts, tally, search: { ...search, states } };
}

/** Texts are converted in parts, because the number of arguments of a call is limited. */
const UNITS = 1 << 12;

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let k = 0; k < text.length; k++) units[k] = text.charCodeAt(k);
  return units;
}

function textOf(units: Uint8Array | Uint16Array): string {
  const parts: string[] = [];
  for (let from = 0; from < units.length; from += UNITS) {
    parts.push(String.fromCharCode(...units.subarray(from, from + UNITS)));
  }
  return parts.join('');
}
