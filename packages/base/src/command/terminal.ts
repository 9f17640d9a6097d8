/** The width and the colours of a stream. Colours need a terminal, and NO_COLOR or TERM=dumb disables them. */
import type { Paint, Tone } from '../paint.ts';

const CODES: Readonly<Record<Tone, readonly [on: string, off: string]>> = {
  strong: ['1', '22'],
  faint: ['2', '22'],
  leader: ['1;33', '22;39'],
  dead: ['31', '39'],
  good: ['32', '39'],
  bad: ['1;31', '22;39'],
};

export interface Screen {
  /** In characters; Infinity if the stream is not a terminal. */
  readonly width: number;
  readonly paint: Paint;
}

/** Text in wider lines is hard to read. */
const PAGE_WIDTH = 100;

export function pageWidth({ width }: Pick<Screen, 'width'>): number {
  return Math.min(width, PAGE_WIDTH);
}

export function screenOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Screen {
  if (!stream.isTTY) return { width: Number.POSITIVE_INFINITY, paint: plain };
  const width = stream.columns || 80;
  return { width, paint: env.NO_COLOR || env.TERM === 'dumb' ? plain : coloured };
}

export const plain: Paint = (_tone, text) => text;

const coloured: Paint = (tone, text) => `\u001b[${CODES[tone][0]}m${text}\u001b[${CODES[tone][1]}m`;
