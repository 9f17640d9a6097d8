/** Why a fence was not let through, and a count of it. */
import { HustingsError } from '../../errors/hustings-error.ts';

/**
 * stale: a newer term has been here. forged: nobody who may lead has made it: the signature is missing or wrong, or the store has
 * not given this token yet. foreign: it belongs to another election. malformed: it is no fence.
 */
export type FenceRefusal = 'stale' | 'forged' | 'foreign' | 'malformed';

export class FenceError extends HustingsError {
  readonly refusal: FenceRefusal;

  constructor(refusal: FenceRefusal, message: string, cause?: unknown) {
    super(message, { code: `HUSTINGS_FENCE_${refusal.toUpperCase()}`, cause });
    this.refusal = refusal;
  }
}

/** What every sink takes: called once for each refusal, before the refusal is thrown. */
export interface RefusalOptions {
  readonly onRejected?: ((error: FenceError) => void) | undefined;
}

/** Counts refusals by kind: give `count` as `onRejected` to any number of sinks. */
export class FenceRejections {
  readonly byKind: Record<FenceRefusal, number> = { stale: 0, forged: 0, foreign: 0, malformed: 0 };

  readonly count = (error: FenceError): void => {
    this.byKind[error.refusal]++;
  };

  get total(): number {
    return Object.values(this.byKind).reduce((sum, each) => sum + each, 0);
  }
}

/** Does the work; a refusal in it is reported, then thrown on. */
export async function reporting<T>({ onRejected }: RefusalOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FenceError) onRejected?.(error);
    throw error;
  }
}

export function staleError(name: string, token: bigint, mark: bigint | string): FenceError {
  return new FenceError(
    'stale',
    `expected token ${mark} or a newer one for ${JSON.stringify(name)}, got ${token}: another leader has written since; ` +
      'stop the work of this term',
  );
}
