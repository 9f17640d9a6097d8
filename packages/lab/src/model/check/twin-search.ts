/** Links to searches that find the fault of a wrong twin. */
import type { Twin } from '@hustings/study/algorithms';
import type { LabSetup } from '../setup/lab-setup.ts';
import type { LabState } from '../setup/url-state.ts';

/** The link to a search that finds the fault of a wrong twin, with the path hidden. */
export function puzzleState({ name, search }: Pick<Twin, 'name' | 'search'>): LabState {
  const { bound, crashes, ids, initiators, nodes, orders, recoveries, reduce, set, topology } = search;
  return {
    page: 'check',
    setup: {
      algorithm: name,
      ...(ids && { ids }),
      ...(nodes && !ids && { nodes }),
      ...(topology && { topology }),
      ...(set && { set }),
    },
    extra: {
      puzzle: '1',
      orders,
      starts: initiators,
      crashes: crashes?.toString(),
      recoveries: recoveries?.toString(),
      reduce,
      bound:
        bound &&
        Object.entries(bound)
          .map((pair) => pair.join('='))
          .join(','),
    },
  };
}

/** Up to this size a fault that any network has is found in a moment. */
const MAX_NODES = 8;

/**
 * The link to a search for the fault of a wrong twin in the setup of a run. A twin that needs its own network, ids, bounds or
 * crashes keeps its own search: elsewhere the fault may not be found.
 */
export function twinState(twin: Pick<Twin, 'name' | 'search'>, setup: LabSetup, nodes: number): LabState {
  const own = puzzleState(twin);
  const { nodes: size = Number.POSITIVE_INFINITY, orders } = twin.search;
  const isAnywhere = orders === 'all' && size <= 3;
  if (!isAnywhere || nodes > MAX_NODES) return { ...own, extra: { ...own.extra, puzzle: undefined } };
  const { ids: given, initiators, order, seed, set, topology } = setup;
  return {
    page: 'check',
    setup: {
      algorithm: twin.name,
      ...(Array.isArray(given) ? { ids: given } : { nodes }),
      ...(order !== undefined && { order }),
      ...(seed !== undefined && { seed }),
      ...(topology !== undefined && { topology }),
      ...(set !== undefined && { set }),
      ...(initiators !== undefined && { initiators }),
    },
    // The shortest run that fails often has few initiators.
    extra: { starts: Array.isArray(initiators) ? undefined : own.extra.starts, reduce: own.extra.reduce },
  };
}
