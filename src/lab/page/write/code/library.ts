/** The texts that the page Write offers: the examples, and the catalogue as forks. Loaded with the page, on demand. */
import * as kernel from '../../../../kernel/index.ts';
import { forkOf, sourcePath } from './fork.ts';
import { API_FILES, type KernelApi, kernelApi } from './kernel-api.ts';

const EXAMPLES = import.meta.glob(
  ['../../../../../examples/my-first-election.ts', '../../../../../examples/my-election.ts'],
  { query: '?raw', import: 'default', eager: true },
);

const SOURCES = import.meta.glob(
  [
    '../../../../algorithms/{anonymous,complete,graph,quorum,ring,tree}/**/*.ts',
    '../../../../algorithms/{law-conditions,terms}.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
);

const KERNEL = import.meta.glob(
  [
    '../../../../kernel/{algorithm,appearance,assumptions,context,errors,field}.ts',
    '../../../../kernel/{invariant,law,measure,message,params}.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
);

const FOLDER = '../../../../algorithms/';

export function exampleText(name: 'my-first-election' | 'my-election'): string {
  return EXAMPLES[`../../../../../examples/${name}.ts`];
}

/** An algorithm of the catalogue as one file. */
export function forkText(name: string): Promise<string> {
  const paths = Object.keys(SOURCES).map((path) => path.slice(FOLDER.length));
  return forkOf(sourcePath(name, paths), async (path) => SOURCES[FOLDER + path]);
}

const source = (name: string): string => KERNEL[`../../../../kernel/${name}.ts`];

/** What the editor completes. */
export const KERNEL_API: KernelApi = kernelApi(
  Object.fromEntries(API_FILES.map((name) => [name, source(name)])) as Record<
    (typeof API_FILES)[number],
    string
  >,
  Object.keys(kernel),
);
