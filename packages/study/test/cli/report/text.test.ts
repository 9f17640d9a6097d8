import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { formatTable, wrap } from '../../../../base/src/cells.ts';
import { formatJson } from '../../../../base/src/command/json.ts';
import { Progress } from '../../../../base/src/command/progress.ts';
import { screenOf } from '../../../../base/src/command/terminal.ts';
import { suggestion } from '../../../../base/src/similar-name.ts';
import { formatFigure } from '../../../../base/src/text.ts';
import type { Law } from '../../../src/kernel/index.ts';
import { obeys } from '../../../src/kernel/law.ts';
import { statementOf } from '../../../src/kernel/law-text.ts';

describe('the suggestion of a name', () => {
  const known = ['peterson', 'dolev-klawe-rodeh', 'bully'];
  it.each([
    ['petersen', '; did you mean peterson?'],
    ['PETERSON', '; did you mean peterson?'],
    ['ptereson', '; did you mean peterson?'],
    ['buly', '; did you mean bully?'],
    ['rodeh', '; did you mean dolev-klawe-rodeh?'],
    ['xyzzy', ''],
    ['', ''],
  ])("at '%s' is '%s'", (given, hint) => expect(suggestion(given, known)).toBe(hint));
});

describe('a table', () => {
  const columns = ['name', ['figure'], 'about'] as const;
  const rows = [
    ['one', '1', 'a few words'],
    ['three', '300', 'some more words than that'],
  ];

  it('has columns as wide as their content, and no trailing blanks', () => {
    expect(formatTable(columns, rows, 80)).toEqual([
      'name   figure  about',
      'one         1  a few words',
      'three     300  some more words than that',
    ]);
  });

  it('wraps between words if the screen is narrower', () => {
    const lines = formatTable(columns, rows, 28);
    expect(lines.every((line) => line.length <= 28)).toBe(true);
    expect(lines).toContain('three     300  some more');
  });

  it('cuts a word only when it is longer than the line', () => {
    expect(wrap('a verylongword b', 6)).toEqual(['a', 'verylo', 'ngword', 'b']);
    expect(wrap('', 6)).toEqual(['']);
  });
});

describe('colours', () => {
  const terminal = { isTTY: true, columns: 90 } as NodeJS.WriteStream;

  it('need a terminal, and NO_COLOR and TERM=dumb disable them', () => {
    expect(screenOf(terminal, {}).paint('strong', 'x')).toBe('\u001b[1mx\u001b[22m');
    expect(screenOf(terminal, { NO_COLOR: '1' }).paint('strong', 'x')).toBe('x');
    expect(screenOf(terminal, { TERM: 'dumb' }).paint('strong', 'x')).toBe('x');
    expect(screenOf({ isTTY: false } as NodeJS.WriteStream, {}).paint('strong', 'x')).toBe('x');
  });

  it('come with the width of the terminal; other streams have no width', () => {
    expect(screenOf(terminal, {}).width).toBe(90);
    expect(screenOf({ isTTY: false } as NodeJS.WriteStream, {}).width).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('JSON', () => {
  it('parses to the same value, with lists of numbers on one line', () => {
    const value = { list: [1, 2.5, -3], text: '[\n  1\n]  [ 1, 2 ]', empty: [], deep: [{ a: [0] }] };
    const text = formatJson(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).toContain('"list": [1, 2.5, -3]');
  });
});

describe('a law beside its figure', () => {
  const law = (kind: Law['kind'], formula = 'n'): Law => ({
    measure: 'announcementReturnedAt',
    kind,
    formula,
    value: () => 0,
  });

  it.each([
    ['exact', 8, 8, true],
    ['exact', 8, 9, false],
    ['exact', 0.3, 0.1 + 0.2, true],
    ['bound', 8, 8, true],
    ['bound', 8, 7, true],
    ['bound', 8, 9, false],
    ['mean', 8, 9, null],
    ['exact', 8, null, null],
  ] as const)('%s %d, counted %d: obeyed %s', (kind, value, figure, expected) => {
    expect(obeys(law(kind), value, figure)).toBe(expected);
  });

  it('is an equation, a bound or a mean', () => {
    expect(statementOf(law('exact'), 8)).toBe('n = 8');
    expect(statementOf(law('bound', '8n'), 64)).toBe('≤ 8n = 64');
    expect(statementOf(law('mean', 'n·H_k'), 21.7428)).toBe('≈ n·H_k = 21.743 on average');
    expect(statementOf(law('exact', '0'), 0)).toBe('0');
  });

  it('groups thousands from five digits on', () => {
    expect([1234, 12345, 1234567.8914].map(formatFigure)).toEqual(['1234', '12,345', '1,234,567.891']);
  });
});

describe('progress', () => {
  const CLEAR = '\r\u001b[2K';

  /** A progress line, what it has written, and its clock. */
  function shown(isTTY: boolean) {
    const texts: string[] = [];
    const target = new Writable({ write: (chunk, _, done) => done(void texts.push(String(chunk))) });
    const stream = Object.assign(target, { isTTY }) as unknown as NodeJS.WriteStream;
    const clock = { ms: 5000 };
    return { texts, clock, progress: new Progress(stream, true, () => clock.ms) };
  }

  it('is silent for a second, then one line that is cleared at the end', () => {
    const { texts, clock, progress } = shown(true);
    clock.ms += 999;
    progress.update(1000, 5);
    expect(texts).toEqual([]);
    clock.ms += 1001;
    progress.update(4_000_000, 17);
    expect(texts).toEqual([`${CLEAR}4.0 M events, 2.0 M per second, at time 17`]);
    progress.clear();
    expect(texts.at(-1)).toBe(CLEAR);
  });

  it('is written at most ten times a second', () => {
    const { texts, clock, progress } = shown(true);
    clock.ms += 2000;
    progress.update(1, 1);
    clock.ms += 99;
    progress.update(2, 2);
    expect(texts).toHaveLength(1);
    clock.ms += 1;
    progress.update(3, 3);
    expect(texts).toHaveLength(2);
  });

  it('of a search has states, rate, the queue and memory', () => {
    const { texts, clock, progress } = shown(true);
    clock.ms += 2000;
    progress.updateSearch(2_500_000, 40_000, 123_000_000);
    expect(texts.join('')).toBe(`${CLEAR}2.5 M states, 1.3 M per second, 40 k in the queue, 123 MB`);
  });

  it('of a search of several instances has their number', () => {
    const { texts, clock, progress } = shown(true);
    clock.ms += 2000;
    progress.updateSearch(2000, 0, 1_000_000, null, { searched: 12_000, all: 3_708_633_600 });
    expect(texts.join('')).toBe(
      `${CLEAR}2000 states, 1000 per second, 0 in the queue, 1 MB, 12 k of 3708.6 M instances`,
    );
  });

  it('of a sweep has a bar, the runs, the rate and the time left', () => {
    const { texts, clock, progress } = shown(true);
    clock.ms += 2000;
    progress.updateSweep(250_000, 1_000_000, 90_000);
    expect(texts.join('')).toBe(
      `${CLEAR}█████░░░░░░░░░░░░░░░ 250 k of 1.0 M runs, 125 k per second, 1 min 30 s left`,
    );
  });

  it('is a line a minute if the stream is not a terminal, so that a log shows that the command lives', () => {
    const { texts, clock, progress } = shown(false);
    clock.ms += 59_999;
    progress.update(4_000_000, 17);
    expect(texts).toEqual([]);
    clock.ms += 1;
    progress.update(6_000_000, 18);
    clock.ms += 59_999;
    progress.update(7_000_000, 19);
    expect(texts).toEqual(['hustings: 6.0 M events, 100 k per second, at time 18\n']);
    clock.ms += 1;
    progress.update(8_000_000, 20);
    progress.clear();
    expect(texts).toHaveLength(2);
  });
});
