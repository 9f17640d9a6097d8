/** The answer, or a `StoreError` when it takes too long. What was asked for may still happen. */
import { StoreError } from '../lease/store-error.ts';

export async function within<Answer>(mostMs: number, asked: Promise<Answer>, what: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new StoreError(
      'unreachable',
      `expected ${what} to take at most ${mostMs} ms, got no answer`,
    );
    timer = setTimeout(() => reject(error), mostMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
