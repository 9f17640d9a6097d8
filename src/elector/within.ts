/** Rejects with a `StoreError` if the store does not answer in time. The call may still take effect. */
import { StoreError } from '../lease/store-error.ts';

export async function within<Answer>(mostMs: number, asked: Promise<Answer>, label: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new StoreError('unreachable', `${label} did not answer within ${mostMs} ms`);
    timer = setTimeout(() => reject(error), mostMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
