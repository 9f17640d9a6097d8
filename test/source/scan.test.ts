import { describe, expect, it } from 'vitest';
import { scan } from './scan.ts';

const words = (text: string): string[] => scan(text).code.match(/\w+/g) ?? [];

describe('the scanner of the source tests', () => {
  it('keeps code and drops comments', () => {
    expect(words('a(); // b\n/* c\n d */ e();')).toEqual(['a', 'e']);
  });

  it('drops strings, also with an escaped quote, and lists them', () => {
    const { strings } = scan(`x = 'it\\'s b'; y = "c";`);
    expect(words(`x = 'it\\'s b'; y = "c";`)).toEqual(['x', 'y']);
    expect([...strings]).toEqual([
      [4, "it\\'s b"],
      [19, 'c'],
    ]);
  });

  it('drops the text of a template and keeps its code, also nested', () => {
    expect(words('`a ${b({ c: `d ${e}` })} f` + g')).toEqual(['b', 'c', 'e', 'g']);
  });

  it('distinguishes a regular expression from a division', () => {
    expect(words("x = /a'b[/]c/.test(y) / z; w = 'q'")).toEqual(['x', 'test', 'y', 'z', 'w']);
  });

  it('keeps line numbers', () => {
    const text = "a\n/* b\n c */\n`d\n${e}\n`\n'f'";
    expect(scan(text).code.split('\n').length).toBe(text.split('\n').length);
    expect(scan(text).code.length).toBe(text.length);
  });
});
