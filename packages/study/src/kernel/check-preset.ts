/** Searches that an algorithm names: small enough to end, and their scope is said in words. */
import type { Params, Settings } from './params.ts';

/** A search of an algorithm that ends within seconds. The names of its parts are those of the options of check(). */
export interface CheckPreset<P extends Params = Params> {
  /** What the search switches off, in words: 'pre-vote off'. */
  readonly off?: string;
  readonly nodes: number;
  readonly initiators?: readonly number[];
  readonly crashes?: number;
  readonly recoveries?: number;
  readonly losses?: number;
  /** Parameters that differ from their defaults. */
  readonly set?: Partial<Settings<P>>;
  /** The largest values of counters, by name. */
  readonly bound?: Readonly<Record<string, number>>;
}

/** The searches of an algorithm by name. The first is taken if none is named. */
export type CheckPresets<P extends Params = Params> = Readonly<Record<string, CheckPreset<P>>>;
