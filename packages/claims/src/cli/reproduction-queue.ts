/** What `reproduce --queue` uses of @hustings/queue, if it is installed. */
import { loadDoor } from '@hustings/base/command/other-package';
import type { StudyResult } from '../index.ts';
import type { ReproduceWork } from './reproduce-worker.ts';

export interface ReproductionQueue {
  /** `given` is true for a flag without a value. */
  readonly queueUrlOf: (given: string | true) => string;
  /** Calls `onParts` about once per second and at the end. Returns the exit code of the signal that stopped it, or null. */
  readonly runOnQueue: (
    url: string,
    work: { readonly type: 'reproduce'; readonly options: ReproduceWork; readonly studies: number },
    onParts: (parts: { readonly results: ReadonlyMap<number, StudyResult> }) => void,
  ) => Promise<number | null>;
}

export async function reproductionQueue(): Promise<ReproductionQueue> {
  return (await loadDoor('@hustings/queue', './shared', "'--queue'")).queue as ReproductionQueue;
}
