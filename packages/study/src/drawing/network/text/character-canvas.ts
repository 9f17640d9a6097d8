/** A grid of characters, each with a tone that the caller's paint turns into a colour. */
import type { Paint, Tone } from '@hustings/base';

interface Cell {
  readonly character: string;
  readonly tone: Tone | null;
}

export class CharacterCanvas {
  readonly width: number;
  readonly height: number;
  private readonly cells: (Cell | undefined)[];

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.cells = new Array(width * height);
  }

  isFree(x: number, y: number): boolean {
    return this.cells[y * this.width + x] === undefined;
  }

  /** Clips what lies outside. */
  write(x: number, y: number, text: string, tone: Tone | null = null): void {
    Array.from(text).forEach((character, index) => {
      const column = x + index;
      if (column < 0 || column >= this.width || y < 0 || y >= this.height) return;
      this.cells[y * this.width + column] = { character, tone };
    });
  }

  /** Without blank lines above and below and without trailing blanks. */
  lines(paint: Paint): string[] {
    const lines: string[] = [];
    for (let y = 0; y < this.height; y++) lines.push(this.line(y, paint));
    while (lines.at(-1) === '') lines.pop();
    while (lines[0] === '') lines.shift();
    return lines;
  }

  private line(y: number, paint: Paint): string {
    const row = Array.from({ length: this.width }, (_, x) => this.cells[y * this.width + x]);
    while (row.length > 0 && (row.at(-1)?.character ?? ' ') === ' ') row.pop();
    let line = '';
    for (let x = 0; x < row.length; ) {
      const tone = row[x]?.tone ?? null;
      let run = '';
      for (; x < row.length && (row[x]?.tone ?? null) === tone; x++) run += row[x]?.character ?? ' ';
      line += tone === null ? run : paint(tone, run);
    }
    return line;
  }
}
