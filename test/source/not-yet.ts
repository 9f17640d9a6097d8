/** Folders and files whose English is still being rewritten. The list only shrinks; the tests of words pass over them. */
export const NOT_YET: readonly string[] = [];

export const isNotYet = (path: string): boolean =>
  NOT_YET.some((each) => path === each || path.startsWith(`${each}/`) || each.startsWith(`${path}/`));
