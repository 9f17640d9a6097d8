/** A node in a picture, and the size of the picture. */
import type { Paint, Tone } from '@hustings/base';

export interface NodeMark {
  readonly symbol: string;
  readonly name: string;
  readonly tone: Tone | null;
}

/** Which nodes are marked in a picture, and how. */
export interface PictureOptions {
  /** In columns. */
  readonly width: number;
  readonly paint: Paint;
}
