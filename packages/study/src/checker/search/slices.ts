/**
 * A long computation in slices: a generator that yields where the caller may do something else, such as listen to a signal. A
 * slice is short: some hundred states.
 */
export type Slices<T> = Generator<void, T>;

/** Takes all slices at once. */
export function runSlices<T>(slices: Slices<T>): T {
  for (;;) {
    const slice = slices.next();
    if (slice.done === true) return slice.value;
  }
}

/** Null if `isInterrupted` is true after a slice that is not the last. */
export function* unlessInterrupted<T>(
  slices: Slices<T>,
  isInterrupted: (() => boolean) | undefined,
): Slices<T | null> {
  for (;;) {
    const slice = slices.next();
    if (slice.done === true) return slice.value;
    if (isInterrupted?.() === true) return null;
    yield;
  }
}
