/** Makes the tables of docs/leases-checked.md: one line for each setting that was searched, and for each planted fault. */

import { descriptionOf } from '../../packages/hustings/test/lease/model/configurations.ts';
import { LeaseSystem } from '../../packages/hustings/test/lease/model/lease-system.ts';
import type { Mutant } from '../../packages/hustings/test/lease/model/mutants.ts';
import { quiescenceFrom } from '../../packages/hustings/test/lease/model/quiescence.ts';
import type { Searched } from '../../packages/hustings/test/lease/model/searched.ts';
import type { Setting } from '../../packages/hustings/test/lease/model/setting.ts';
import { searchSystem } from '../../packages/study/src/checker/index.ts';
import { describeRun } from '../../packages/study/src/checker/search/counterexample.ts';
import { runSlices } from '../../packages/study/src/checker/search/slices.ts';
import { tableOf } from '../../test-kit/golden/regions.ts';

export const PAGE = new URL('../../docs/leases-checked.md', import.meta.url);

const TITLES = {
  settings: [
    'candidates',
    'allowed, any number of times',
    'states',
    'transitions',
    'depth',
    'a leader within',
  ],
  larger: ['candidates', 'allowed, any number of times', 'states', 'transitions', 'depth', 'a leader within'],
  mutants: ['mutant', 'violates', 'states', 'steps'],
} as const;
const RIGHT = ['candidates', 'states', 'transitions', 'depth', 'a leader within', 'steps'];

export function cellsOf(setting: Setting, { result, quiescence }: Searched): string[] {
  const { states, transitions, depth } = result;
  const numbers = [states, transitions, depth].map((number) => number.toLocaleString('en'));
  return [
    String(setting.timings.length),
    descriptionOf(setting).join(', '),
    ...numbers,
    `${quiescence.longestMs.toLocaleString('en')} ms`,
  ];
}

export interface Caught {
  readonly property: string | undefined;
  readonly story: readonly string[];
  readonly cells: readonly string[];
}

/** `reduces`: with symmetry reduction, which changes the number of states and nothing else. */
export function caught({ name, setting, planted }: Mutant, reduces = false): Caught {
  const system = new LeaseSystem({ ...setting, ...planted }, reduces);
  const { violation, states, search } = searchSystem(system);
  const finding = violation === null ? quiescenceFrom(system, search).finding : null;
  const { property = 'nothing', text = '' } = violation ?? finding ?? {};
  const steps = violation?.steps ?? (finding === null ? [] : runSlices(describeRun(system, search, finding)));
  return {
    property: violation?.property ?? finding?.property,
    story: [...steps, `${property}: ${text}`],
    cells: [name, property, states.toLocaleString('en'), String(steps.length)],
  };
}

export const tableRegion = (region: keyof typeof TITLES, rows: readonly (readonly string[])[]) => ({
  [region]: () => tableOf(TITLES[region], rows, RIGHT),
});

export const storyLines = (story: readonly string[]): string[] =>
  story.map((step, k) => (k === story.length - 1 ? `\n**${step}.**` : `${k + 1}. ${step}`));

/** Any change of the core, however right, changes some of them. */
export const withoutCounts = (page: string): string => page.replace(/ [\d,]+ (?=\|)/g, ' # ');
