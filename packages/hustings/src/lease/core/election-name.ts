/**
 * Names of elections and candidates. Names that differ in any character are different names on every store: case, spaces
 * and punctuation count. Refused are names that look alike or that some store cannot keep: an empty name, more than 200
 * bytes of UTF-8, control characters, invisible characters, unpaired surrogates, and text that is not in Unicode normal
 * form C.
 */
import { InputError } from '@hustings/base';

const MAX_BYTES = 200;
/** Zero-width characters, marks of the writing direction (both in Cf), line separators, and letters without a shape. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f/u;

/** `what` is the noun for the message: 'an election', 'a candidate'. */
export function checkName(name: unknown, what: string): asserts name is string {
  const subject = `the name of ${what}`;
  if (typeof name !== 'string') throw new InputError(`${subject} must be a text, not ${typeof name}`);
  const shown = JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
  if (name === '') throw new InputError(`${subject} must not be empty; give at least one character`);
  if (/\p{Cs}/u.test(name)) {
    throw new InputError(`${subject} must not have an unpaired surrogate, as ${shown} has; remove it`);
  }
  if (/\p{Cc}/u.test(name)) {
    throw new InputError(`${subject} must not have a control character, as ${shown} has; remove it`);
  }
  const invisible = INVISIBLE.exec(name)?.[0].codePointAt(0);
  if (invisible !== undefined) {
    const point = `U+${invisible.toString(16).toUpperCase().padStart(4, '0')}`;
    throw new InputError(`${subject} must not have an invisible character, here ${point}; remove it`);
  }
  if (name !== name.normalize('NFC')) {
    throw new InputError(
      `${subject} must be in Unicode normal form C, and ${shown} is not; use name.normalize('NFC')`,
    );
  }
  const bytes = utf8Length(name);
  if (bytes > MAX_BYTES) {
    throw new InputError(`${subject} must have at most ${MAX_BYTES} bytes, not ${bytes}; use a shorter name`);
  }
}

export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}
