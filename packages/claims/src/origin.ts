/**
 * Where a claim comes from. A `stated` claim is in a source, at a place that a reader can look up. A claim that `follows`
 * is derived from such a statement. All others are `ours`: laws of our own algorithms, and what was observed here.
 */

/** A source, and lines of its plain text; with the slide or the section, where the text has numbers for them. */
export interface Place {
  readonly source: string;
  readonly at: string;
}

/** Where a claim comes from. */
export type Origin =
  | { readonly type: 'stated'; readonly places: readonly Place[] }
  | { readonly type: 'follows'; readonly from: readonly Place[] }
  | {
      readonly type: 'ours';
      /** The paper that describes the algorithm, or the reason for the claim. */
      readonly after?: string;
    };

/** All kinds, in the order in which they are counted. */
export const KINDS: readonly Origin['type'][] = ['stated', 'follows', 'ours'];

const placeOf = ([source, at]: readonly [source: string, at: string]): Place => ({ source, at });

/** The source states the claim at this place. */
export function stated(...places: readonly (readonly [source: string, at: string])[]): Origin {
  return { type: 'stated', places: places.map(placeOf) };
}

/** The claim follows from what the source states at this place. */
export function follows(...from: readonly (readonly [source: string, at: string])[]): Origin {
  return { type: 'follows', from: from.map(placeOf) };
}

/** No source that we read makes the claim. */
export function ours(after?: string): Origin {
  return after === undefined ? { type: 'ours' } : { type: 'ours', after };
}

/** The origin in words. */
export function originText(origin: Origin): string {
  const text = (places: readonly Place[]): string =>
    places.map(({ source, at }) => `${source}, ${at}`).join('; ');
  switch (origin.type) {
    case 'stated':
      return text(origin.places);
    case 'follows':
      return `follows from ${text(origin.from)}`;
    case 'ours':
      return origin.after === undefined ? 'our own' : `our own; ${origin.after}`;
  }
}
