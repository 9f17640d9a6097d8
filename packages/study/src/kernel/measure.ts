/**
 * Custom measures, which an algorithm declares, such as its phases or comparisons. A handler reports a figure with `ctx.measure`; runs show
 * them beside messages and time, sweeps plot them, and laws may be about them.
 *
 * Guarantees: a measure is not part of a node's state. Handlers cannot read it, and it adds no states to the checker.
 */

/** How the figures that handlers report become the figure of a run. */
export interface CustomMeasure {
  /** The sum of all reported figures, or the largest of them. */
  readonly type: 'total' | 'largest';
  /** What is measured, in a few words. */
  readonly about: string;
}

/** The measures of an algorithm by name. */
export type CustomMeasures = Readonly<Record<string, CustomMeasure>>;

/** The sum of the reported figures; 0 in a run without any. */
export function total(about: string): CustomMeasure {
  return { type: 'total', about };
}

/** The largest reported figure; a run without any has none. */
export function largest(about: string): CustomMeasure {
  return { type: 'largest', about };
}
