/** The texts that the page Write offers: the examples, and the catalogue as forks. Loaded with the page, on demand. */
import * as kernel from '../../../../kernel/index.ts';
import { forkOf, sourcePath } from './fork.ts';

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

const CONTEXT = import.meta.glob(['../../../../kernel/context.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const FOLDER = '../../../../algorithms/';

export function exampleText(name: 'my-first-election' | 'my-election'): string {
  return EXAMPLES[`../../../../../examples/${name}.ts`];
}

/** An algorithm of the catalogue as one file. */
export function forkText(name: string): Promise<string> {
  const paths = Object.keys(SOURCES).map((path) => path.slice(FOLDER.length));
  return forkOf(sourcePath(name, paths), async (path) => SOURCES[FOLDER + path]);
}

export interface Offered {
  readonly name: string;
  /** What it is for. */
  readonly text: string;
}

/** What `ctx` has, with the comments of its declaration. */
export const CONTEXT_MEMBERS: readonly Offered[] = membersIn(Object.values(CONTEXT)[0]);

/** What 'hustings/kernel' exports at run time. */
export const KERNEL_NAMES: readonly string[] = Object.keys(kernel);

export function membersIn(source: string): Offered[] {
  const found: Offered[] = [];
  const member = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(?:readonly )?(\w+)(?=[(<:])/g;
  for (const [, comment, name] of source.matchAll(member))
    found.push({ name, text: comment.replace(/\s*\n\s*\*\s*/g, ' ').trim() });
  return found;
}
