/** Motion without rendering. */
import { reducedMotion } from '../shell/reduced-motion.ts';

/** Called with the share of the time that has passed, from 0 to 1. */
type Move = (share: number) => void;

/**
 * Calls `move` in each frame until the time is over; at once with 1 if nothing may move. The frame of the call, which has more to
 * do than the others, shows what was there before. Returns a function that ends it.
 */
export function animate(milliseconds: number, move: Move): () => void {
  if (milliseconds <= 0 || reducedMotion() || document.hidden) {
    move(1);
    return () => {};
  }
  let frame = 0;
  let start: number | null = null;
  const step = (now: number): void => {
    const share = start === null ? 0 : Math.min(1, (now - start) / milliseconds);
    if (start === null) start = now;
    else move(share);
    if (share < 1) frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}
