import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/kernel/index.ts';
import { type Choice, fileSchedule } from '../../../src/simulator/index.ts';

const link = (from: number, to: number): Choice => ({ from, to, port: 0 });
const flying = [link(0, 1), link(1, 2), link(2, 0), link(0, 1)];

describe('a schedule from a file', () => {
  it('chooses the link of each line in turn, and the oldest message on it', () => {
    const pick = fileSchedule('deliver 1 > 2\ndeliver 2 > 0\ndeliver 0 > 1\n', 'f');
    expect([0, 1, 2].map((step) => pick(flying, step))).toEqual([1, 2, 0]);
  });

  it('accepts a time before, a message behind, and any white space', () => {
    const pick = fileSchedule('  0.125 deliver 1>2 token id=5\r\n12 deliver  2 >  0\n', 'f');
    expect([pick(flying, 0), pick(flying, 1)]).toEqual([1, 2]);
  });

  it('ignores comments, blank lines and the other lines of a trace', () => {
    const text = [
      '# a comment: deliver 9 > 9',
      '',
      '0.000 start 0',
      '0.000 send 0 > 1 token id=3',
      '0.500 timer 2 patience',
      '0.700 undelivered 0 > 1 token id=3',
      '1.000 decide 1 follower of 3',
      '1.000 lost 0 > 1 token id=3 (link lossy)',
      '1.000 deliver 2 > 0 token id=3',
      'election messages 19',
    ].join('\n');
    expect(fileSchedule(text, 'f')(flying, 0)).toBe(2);
  });

  it('includes messages that were lost on arrival', () => {
    const text = '1.000 lost 1 > 2 token id=3 (receiver dead)\n2.000 lost 2 > 0 x (network partitioned)\n';
    const pick = fileSchedule(text, 'f');
    expect([pick(flying, 0), pick(flying, 1)]).toEqual([1, 2]);
  });

  it('continues with the oldest message after its last line', () => {
    expect(fileSchedule('deliver 1 > 2', 'f')(flying, 1)).toBe(0);
  });

  it('names the line whose link has no message in flight, and the links that have one', () => {
    const pick = fileSchedule('# first\ndeliver 1 > 0', 'saved.txt');
    expect(() => pick(flying, 0)).toThrow(
      'line 2 of saved.txt delivers 1 > 0, but nothing is in flight there: choose from 0 > 1, 1 > 2, 2 > 0',
    );
    expect(() => pick(flying, 0)).toThrow(InputError);
  });

  it.each(['deliver', 'deliver 0 1', 'deliver 0 > x', '1.0 deliver 0 >', 'delver 0 > 1', 'deliver -1 > 0'])(
    'refuses the line %s',
    (line) => expect(() => fileSchedule(line, 'f')).toThrow(/line 1 of f must be/),
  );

  it('refuses a text without deliveries', () => {
    expect(() => fileSchedule('start 0\n', 'f')).toThrow("f must have lines such as 'deliver 0 > 1'");
  });
});
