import { expect, test } from 'vitest';
import { explained } from './evidence.ts';
import type { Entry } from './journal.ts';

const work = (at: number, id: string, token: string): Entry => ({ at, id, event: 'work', token });

test('a violation shows the faults and the journals around it, and the work of one term as one line', () => {
  const entries: Entry[] = [
    work(7_000, 'a', '1'),
    work(9_000, 'a', '1'),
    work(9_020, 'a', '1'),
    { at: 9_990, id: 'b', event: 'begin', token: '2' },
    work(9_991, 'b', '2'),
    work(10_000, 'a', '1'),
    work(12_000, 'b', '2'),
  ];
  const fault = { target: 'b', onLeader: false };
  const faults = [
    { kind: 'long over', ...fault, fromMs: 5_000, toMs: 8_000 },
    { kind: 'cut off', ...fault, fromMs: 7_900, toMs: 9_900 },
    { kind: 'kill -9', target: 'a', onLeader: true, fromMs: 11_000, toMs: 11_010 },
  ];
  const violations = [
    { text: 'wrong', atMs: 10_000 },
    { text: 'in the audit trail', atMs: null },
  ];
  const [wrong, untimed] = explained(violations, entries, faults);
  expect(untimed).toBe('in the audit trail');
  expect(wrong.split('\n')).toEqual([
    'wrong',
    '  -2100.0 ms to -100.0 ms: cut off, b',
    '  -1000.0 ms to -980.0 ms, 2 times: {"id":"a","event":"work","token":"1"}',
    '  -10.0 ms: {"id":"b","event":"begin","token":"2"}',
    '  -9.0 ms: {"id":"b","event":"work","token":"2"}',
    '  +0.0 ms: {"id":"a","event":"work","token":"1"}',
    '  +1000.0 ms to +1010.0 ms: kill -9, a, which led',
  ]);
});
