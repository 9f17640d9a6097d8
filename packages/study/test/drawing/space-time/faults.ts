/** What is wrong with the geometry of a picture. */
import type { Scene, SceneArrow, SceneText, Segment } from '../../../src/drawing/index.ts';
import { type Box, overlap } from '../../../src/drawing/text-box.ts';

/** Texts that overlap or leave the sheet, labels that another arrow crosses, and pictures taller than wide. */
export function faultsOf(scene: Scene): string[] {
  return [
    ...overlaps(scene),
    ...outside(scene),
    ...crossed(scene),
    ...(scene.height > scene.width ? [`${scene.height} high, ${scene.width} wide`] : []),
  ];
}

function overlaps({ texts }: Scene): string[] {
  return texts.flatMap((one, k) =>
    texts
      .slice(k + 1)
      .filter((other) => overlap(one.box, other.box))
      .map((other) => `'${one.text}' hits '${other.text}'`),
  );
}

function outside({ height, texts, width }: Scene): string[] {
  return texts
    .filter(({ box }) => box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height)
    .map(({ text }) => `'${text}' is cut`);
}

/** An arrow crosses a label if a point of it lies in the box; a label on its own arrow is not crossed by it. */
export function crossed({ strips, texts }: Scene): string[] {
  const arrows = strips.flatMap((strip) => strip.arrows);
  const labels = texts.filter(({ role }) => role === 'message' || role === 'mark' || role === 'name');
  return labels.flatMap((label) =>
    arrows
      .filter((arrow) => !isOwn(arrow, label) && arrow.segments.some(({ line }) => meets(line, label.box)))
      .map((arrow) => `'${label.text}' of event ${label.event} is crossed by ${arrow.sending}`),
  );
}

function isOwn({ sending }: SceneArrow, { event, role }: SceneText): boolean {
  return role === 'message' && event === sending;
}

/** By points every half pixel, so that the test does not repeat the formula of the code. */
function meets([a, b]: Segment, box: Box): boolean {
  if (Math.max(a.x, b.x) < box.x || Math.min(a.x, b.x) > box.x + box.width) return false;
  const steps = Math.ceil(2 * Math.hypot(b.x - a.x, b.y - a.y));
  for (let k = 0; k <= steps; k++) {
    const x = a.x + ((b.x - a.x) * k) / Math.max(steps, 1);
    const y = a.y + ((b.y - a.y) * k) / Math.max(steps, 1);
    if (x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height) return true;
  }
  return false;
}
