/**
 * Tallies as JSON, for runs in other processes. Guarantees that decoding gives the same bits, infinities and the sign of
 * zero included.
 */
import type { CellTally } from './cell-tally.ts';
import type { Moments } from './moments.ts';

/** A number; as text if JSON cannot represent it. */
export type NumberJson = number | string;

/** Count, mean, squared deviations, least and greatest value. */
export type MomentsJson = readonly NumberJson[];

/** A tally as plain JSON. */
export interface TallyJson {
  readonly runs: number;
  readonly failed: number;
  readonly figures: MomentsJson;
  readonly sketch: readonly (readonly [key: number, count: number])[];
  readonly laws: readonly { readonly said: MomentsJson; readonly broken: number }[];
}

/** JSON has neither infinities nor a negative zero. */
function encodeNumber(value: number): NumberJson {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}

function encodeMoments({ count, mean, squares, least, most }: Moments): MomentsJson {
  return [count, mean, squares, least, most].map(encodeNumber);
}

function decodeMoments(json: MomentsJson): Moments {
  const [count, mean, squares, least, most] = json.map(Number);
  return { count, mean, squares, least, most };
}

/** The tally as JSON. */
export function encodeTally({ runs, failed, figures, sketch, laws }: CellTally): TallyJson {
  return {
    runs,
    failed,
    figures: encodeMoments(figures),
    sketch: [...sketch],
    laws: laws.map(({ said, broken }) => ({ said: encodeMoments(said), broken })),
  };
}

/** The tally that was encoded. */
export function decodeTally({ runs, failed, figures, sketch, laws }: TallyJson): CellTally {
  return {
    runs,
    failed,
    figures: decodeMoments(figures),
    sketch: new Map(sketch),
    laws: laws.map(({ said, broken }) => ({ said: decodeMoments(said), broken })),
  };
}
