import { ElectionError } from '../../src/kernel/index.ts';

/** The property that a run violates; null if it violates none. */
export function propertyOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof ElectionError) return error.property;
    throw error;
  }
}
