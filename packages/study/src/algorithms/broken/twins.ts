/** Wrong twins that can be run: each mutation with the algorithm that scripts/twins.mjs wrote from it. */
import type { AnyAlgorithm } from '../../kernel/index.ts';
import { mutants } from './generated/index.ts';
import { type Mutation, mutations, type PrintedMutation, printed, type TwinSearch } from './mutations.ts';

/** A wrong twin: a mutation and the algorithm made from it. */
export interface Twin extends Mutation {
  readonly algorithm: AnyAlgorithm;
}

/** An algorithm as a source prints it. */
export interface PrintedAlgorithm extends PrintedMutation {
  readonly algorithm: AnyAlgorithm;
}

export type { TwinSearch };

/** All wrong twins. */
export const twins: readonly Twin[] = mutations.map(runnable);

/** The algorithms that a source prints with a line that is wrong or costs more than it says. */
export const asPrinted: readonly PrintedAlgorithm[] = printed.map(runnable);

function runnable<M extends PrintedMutation | Mutation>(
  mutation: M,
): M & { readonly algorithm: AnyAlgorithm } {
  const { name, title } = mutation;
  // A twin shows how an election fails; an invariant would end its runs before that.
  const { invariants: _, ...algorithm } = mutants[name];
  return { ...mutation, algorithm: { ...algorithm, name, title } };
}
