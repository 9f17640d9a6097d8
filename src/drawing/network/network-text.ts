/** A text of a picture with its box. */
import { type Anchor, textBox } from '../text-box.ts';
import type { NetworkText } from './network-scene.ts';

type Given = Pick<NetworkText, 'text' | 'role' | 'x' | 'y' | 'size'> & {
  readonly anchor?: Anchor;
  readonly isBold?: boolean;
};

export function networkText(given: Given): NetworkText {
  const { anchor = 'start', isBold = false } = given;
  const plain = textBox(given.text, given.size, given.x, given.y, anchor);
  return { ...given, anchor, isBold, box: plain };
}
