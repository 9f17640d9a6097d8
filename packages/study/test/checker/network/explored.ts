import type { CheckOptions } from '../../../src/checker/index.ts';
import { systemFor } from '../../../src/checker/network/instances.ts';
import type { NetworkSystem } from '../../../src/checker/network/network-system.ts';
import { ExploredEdges } from '../../../src/checker/search/expansion.ts';
import { searchAll } from '../../../src/checker/search/search.ts';
import { runSlices } from '../../../src/checker/search/slices.ts';
import { StateStore } from '../../../src/checker/search/state-store.ts';
import { resolveSetup } from '../../../src/kernel/driver.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';

const IDS = [2, 3, 1];

/** An election of three nodes, with or without partial-order reduction. */
export function systemOf(
  algorithm: AnyAlgorithm,
  options: CheckOptions & { initiators: readonly number[] },
  reduce: boolean,
): NetworkSystem {
  const setup = resolveSetup(algorithm, { ids: IDS });
  const { initiators } = options;
  const reductionLimits = { isTooLarge: false };
  return systemFor({ setup, ids: IDS, initiators, dead: [], reductionLimits }, options, reduce);
}

/** All terminal states of a search, and all violations in its states and steps. */
export function exploredBy(
  algorithm: AnyAlgorithm,
  options: CheckOptions & { initiators: readonly number[] },
  reduce: boolean,
  maxStates: number,
): { states: number; ends: string[]; broken: string[] } {
  const system = systemOf(algorithm, options, reduce);
  const seen = new StateStore(system.width, system.order);
  const result = runSlices(searchAll(system, seen, { states: maxStates, bytes: 1e9 }));
  const explored = new ExploredEdges(system, result);
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  const ends: string[] = [];
  const broken = new Set<string>();
  for (let number = 0; number < result.searched; number++) {
    seen.read(number, state);
    const unjust = system.inspect(state);
    if (unjust !== null) broken.add(unjust.property);
    let isEnd = true;
    explored.expand(number, state, next, (step, _to, violation) => {
      isEnd &&= system.isOptional(step);
      if (violation !== null) broken.add(violation.text);
    });
    if (isEnd) ends.push(`${unjust?.text}; ${system.judgeEnd(state)?.text}`);
  }
  return { states: seen.count, ends: ends.sort(), broken: [...broken].sort() };
}
