/** A node as a picture shows it, and the room that the picture has. */
import type { Paint, Tone } from './character-canvas.ts';

export interface NodeMark {
  readonly symbol: string;
  readonly name: string;
  readonly tone: Tone | null;
}

/** Which nodes are marked in a picture, and how. */
export interface PictureOptions {
  /** In characters. */
  readonly width: number;
  readonly paint: Paint;
}
