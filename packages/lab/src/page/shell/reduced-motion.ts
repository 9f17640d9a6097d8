const query = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;

/** True if the reader wants nothing to move. */
export function reducedMotion(): boolean {
  return query?.matches ?? false;
}
