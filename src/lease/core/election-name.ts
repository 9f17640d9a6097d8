/**
 * Names of elections and candidates. Two names that differ in any character are two elections, on every store: case,
 * spaces and punctuation count. Refused is what cannot be told apart, or what stores cannot all keep: an empty name, one
 * over 200 bytes of UTF-8, control characters, unpaired surrogates, and text that is not in Unicode's normal form C.
 */
import { InputError } from '../../errors/hustings-error.ts';

const MOST_BYTES = 200;

/** `what` is the noun for the message: 'an election', 'a candidate'. */
export function checkName(name: unknown, what: string): asserts name is string {
  const expected = `expected the name of ${what}`;
  if (typeof name !== 'string') throw new InputError(`${expected}, got ${typeof name}: give a text`);
  const shown = JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
  if (name === '') throw new InputError(`${expected}, got an empty text: give at least one character`);
  if (/\p{Cs}/u.test(name)) {
    throw new InputError(`${expected}, got ${shown}, which has half of a surrogate pair: remove it`);
  }
  if (/\p{Cc}/u.test(name)) {
    throw new InputError(`${expected}, got ${shown}, which has a control character: remove it`);
  }
  if (name !== name.normalize('NFC')) {
    throw new InputError(
      `${expected} in Unicode's normal form C, got ${shown}, which looks like another name: ` +
        "write it composed, as name.normalize('NFC') does",
    );
  }
  const bytes = utf8Length(name);
  if (bytes > MOST_BYTES) {
    throw new InputError(`${expected} of at most ${MOST_BYTES} bytes, got ${bytes}: take a shorter one`);
  }
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}
