/** The texts that the page Write offers: the examples, and the catalogue as forks. Loaded with the page, on demand. */
import { forkOf, sourcePath } from './fork.ts';

const EXAMPLES = import.meta.glob(
  ['../../../../../../examples/my-first-election.ts', '../../../../../../examples/my-election.ts'],
  { query: '?raw', import: 'default', eager: true },
);

const SOURCES = import.meta.glob(
  [
    '../../../../../study/src/algorithms/{anonymous,complete,graph,quorum,ring,tree}/**/*.ts',
    '../../../../../study/src/algorithms/{law-conditions,terms}.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
);

const FOLDER = '../../../../../study/src/algorithms/';

export function exampleText(name: 'my-first-election' | 'my-election'): string {
  return EXAMPLES[`../../../../../../examples/${name}.ts`];
}

/** An algorithm of the catalogue as one file. */
export function forkText(name: string): Promise<string> {
  const paths = Object.keys(SOURCES).map((path) => path.slice(FOLDER.length));
  return forkOf(sourcePath(name, paths), async (path) => SOURCES[FOLDER + path]);
}
