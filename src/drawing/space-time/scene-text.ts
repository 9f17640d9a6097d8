/** A text of a scene with its box. */
import { type Anchor, textBox } from '../text-box.ts';
import type { SceneText } from './scene.ts';

type Given = Pick<SceneText, 'text' | 'role' | 'x' | 'y' | 'size'> &
  Partial<Pick<SceneText, 'anchor' | 'isBold' | 'purpose' | 'event' | 'on'>>;

export function sceneText(given: Given): SceneText {
  const { anchor = 'start' as Anchor, isBold = false } = given;
  const box = textBox(given.text, given.size, given.x, given.y, anchor, isBold);
  return { ...given, anchor, isBold, box };
}

/** The id, or the position if nodes are anonymous. An overlay has positions without an id. */
export function nameOfNode(ids: Int32Array | null): (node: number) => string {
  return (node) => (ids === null ? String(node) : String(ids[node] ?? `#${node}`));
}
