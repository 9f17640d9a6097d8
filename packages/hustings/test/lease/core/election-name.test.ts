import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../study/src/kernel/errors.ts';
import { checkName } from '../../../src/lease/core/election-name.ts';

const check = (name: unknown) => () => checkName(name, 'an election');

describe('the name of an election', () => {
  it.each([
    'billing-cron',
    'Job',
    'job ',
    '{braces}',
    '__proto__',
    '..',
    '../etc/passwd',
    'a%_*?[b]',
    `it's "quoted"`,
    '<b>&amp;</b>',
    '選挙',
    '🗳️',
    'caf\u00e9',
    'x'.repeat(200),
    'é'.repeat(100),
  ])('may be %j', (name) => expect(check(name)).not.toThrow());

  it.each<[string, unknown, RegExp]>([
    ['no text', 7, /not number/],
    ['null', null, /not object/],
    ['empty', '', /at least one character/],
    ['with a NUL', 'a\0b', /control character/],
    ['with a line feed', 'a\nb', /control character/],
    ['with a C1 control', 'a\u0085b', /control character/],
    ['with half of a surrogate pair', 'a\ud800b', /surrogate/],
    ['with a zero-width space', 'a\u200bb', /invisible character, here U\+200B/],
    ['with a zero-width joiner', 'a\u200db', /invisible character, here U\+200D/],
    ['with a mark of the writing direction', 'a\u202eb', /invisible character, here U\+202E/],
    ['with a soft hyphen', 'a\u00adb', /invisible character, here U\+00AD/],
    ['with a tag', 'a\u{e0041}b', /invisible character, here U\+E0041/],
    ['with a line separator', 'a\u2028b', /invisible character, here U\+2028/],
    ['with a letter without a shape', 'a\u3164b', /invisible character, here U\+3164/],
    ['not in normal form C', 'cafe\u0301', /normal form C/],
    ['over 200 bytes', 'x'.repeat(201), /at most 200 bytes, not 201/],
    ['over 200 bytes, in fewer characters', '🗳'.repeat(51), /at most 200 bytes, not 204/],
  ])('is refused if it is %s', (_, name, reason) => {
    expect(check(name)).toThrow(InputError);
    expect(check(name)).toThrow(reason);
  });

  it('is shown short in the refusal', () => {
    expect(check(`\n${'x'.repeat(1_000)}`)).toThrow(/^.{0,200}$/);
  });
});
