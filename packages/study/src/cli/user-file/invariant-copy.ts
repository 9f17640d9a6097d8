import type { Invariants, NodeInvariant } from '../../kernel/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a predicate of either kind
type Predicate = (given: any) => boolean;

/** The same invariants with other predicates. */
export function invariantCopy(
  invariants: Invariants,
  change: (name: string, holds: Predicate) => Predicate,
): Invariants {
  return Object.fromEntries(
    Object.entries(invariants).map(([scope, named]) => [
      scope,
      Object.fromEntries(
        Object.entries((named ?? {}) as Readonly<Record<string, NodeInvariant>>).map(([name, invariant]) => [
          name,
          { ...invariant, holds: change(name, (given) => invariant.holds(given)) },
        ]),
      ),
    ]),
  );
}
