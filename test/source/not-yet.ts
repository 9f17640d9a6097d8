/** Folders and files whose English is still being rewritten. The list only shrinks; the tests of words pass over them. */
export const NOT_YET: readonly string[] = [
  'CONTRIBUTING.md',
  'docs/worst-runs.md',
  'docs/your-own-election.md',
  'src/checker',
  'src/cli',
  'src/kernel',
  'src/lease',
  'src/properties',
  'src/simulator',
];

export const isNotYet = (path: string): boolean =>
  NOT_YET.some((each) => path === each || path.startsWith(`${each}/`) || each.startsWith(`${path}/`));
