/** The error of a fence that was refused, and a counter of refusals. */
import { HustingsError } from '@hustings/base';
import { notify } from '../observer.ts';

/**
 * stale: a newer term has already written. forged: the signature is missing or wrong, or the store has not granted this token
 * yet. foreign: the fence belongs to another election. malformed: the text is not a fence.
 */
export type FenceRefusal = 'stale' | 'forged' | 'foreign' | 'malformed';

/** A fence was refused. */
export class FenceError extends HustingsError {
  readonly refusal: FenceRefusal;

  constructor(refusal: FenceRefusal, message: string, cause?: unknown) {
    super(message, { code: `HUSTINGS_FENCE_${refusal.toUpperCase()}`, cause });
    this.refusal = refusal;
  }
}

/** Work under an older token did not settle in time. Nothing was refused: the same fence may pass later. */
export class FenceBusyError extends HustingsError {
  constructor(name: string, waitMs: number) {
    super(`work of an older leader of ${JSON.stringify(name)} has not ended within ${waitMs} ms; try again`, {
      code: 'HUSTINGS_FENCE_BUSY',
    });
  }
}

/** The options of every sink. */
export interface RefusalOptions {
  /** Called once per refusal, before the error is thrown. If it throws or rejects, the process warns once. */
  readonly onRejected?: ((error: FenceError) => unknown) | undefined;
}

/** Counts refusals by kind: pass `count` as `onRejected` to any number of sinks. */
export class FenceRejections {
  readonly byKind: Record<FenceRefusal, number> = { stale: 0, forged: 0, foreign: 0, malformed: 0 };

  /** Counts one refusal. */
  readonly count = (error: FenceError): void => {
    this.byKind[error.refusal]++;
  };

  get total(): number {
    return Object.values(this.byKind).reduce((sum, each) => sum + each, 0);
  }
}

/** Runs the work. A refusal is reported, and then thrown. */
export async function reporting<T>({ onRejected }: RefusalOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FenceError) notify(onRejected, error, 'onRejected');
    throw error;
  }
}

export function staleError(name: string, token: bigint, mark: bigint | string): FenceError {
  return new FenceError(
    'stale',
    `the token of ${JSON.stringify(name)} must be at least ${mark}, not ${token}; another leader has written since, ` +
      'so stop the work of this term',
  );
}
