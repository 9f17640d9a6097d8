/** The ring that several lessons share: the same ids, so that their costs can be compared. */
import type { LabSetup } from '../setup/lab-setup.ts';

export const RING_IDS = [3, 4, 6, 5, 7, 2, 1, 8] as const;
export const DESCENDING_IDS = [8, 7, 6, 5, 4, 3, 2, 1] as const;

/** An algorithm on the shared ring. */
export function onRing(algorithm: string, ids: readonly number[] = RING_IDS): LabSetup {
  return { algorithm, ids };
}
