import { expect, it } from 'vitest';
import { textWidth } from '../../src/drawing/text-box.ts';

/** Advances of DejaVu Sans in hundredths of the size, from space to '~', then – → × ≥ ≤ …; measured in Chromium. */
const REGULAR =
  '32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 53 100 68 69 70 77 63 58 77 75 29 29 66 56 86 75 79 60 79 69 63 61 73 68 99 69 61 69 39 34 39 84 50 50 61 63 55 63 62 35 63 63 28 28 58 28 97 63 61 63 63 41 52 39 63 59 82 59 59 52 64 34 64 84 50 84 84 84 84 100';
const BOLD =
  '35 46 52 84 70 100 87 31 46 46 52 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 58 100 77 76 73 83 68 68 82 84 37 37 77 64 100 84 85 73 85 77 72 68 81 77 110 77 72 73 46 37 46 84 50 50 67 72 59 72 68 44 72 71 34 34 67 34 104 71 69 72 72 49 60 48 71 65 92 65 65 58 71 37 71 84 50 84 84 84 84 100';
const CHARACTERS = [...Array.from({ length: 95 }, (_, k) => String.fromCharCode(32 + k)), ...'–→×≥≤…'];

/** Texts as pictures have them. */
const TEXTS = [
  'Hirschberg–Sinclair',
  '8 nodes on a one-way ring, lockstep, seed 1: 19 election and 8 announcement messages',
  'requestPreVote (term = 1, round = 1; shown: granted)',
  'learns that its message was not delivered',
  'upkeep, folded: 525 heartbeat, 525 acknowledge',
  'swallowed: nothing follows',
  '1,11,true',
  '[2…5]',
  '2147483647',
  '#8',
];

it.each([
  ['regular', REGULAR, false],
  ['bold', BOLD, true],
] as const)('a text is not wider than estimated in DejaVu Sans, %s', (_, advances, isBold) => {
  const widths = new Map(advances.split(' ').map((width, k) => [CHARACTERS[k], Number(width) / 100]));
  const wider = TEXTS.filter((text) => {
    const width = [...text].reduce((sum, character) => sum + (widths.get(character) ?? 1), 0);
    return width > textWidth(text, 1, isBold);
  });
  expect(wider).toEqual([]);
});
