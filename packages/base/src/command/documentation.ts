/** Pages of the documentation, which are in the repository and not in the package: a text of the package names their address. */
import { readFileSync } from 'node:fs';

const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const REPOSITORY = (repository.url as string).replace(/^git\+|\.git$/g, '');

/** The address of docs/PAGE. */
export function pageUrl(page: string): string {
  return `${REPOSITORY}/blob/HEAD/docs/${page}`;
}
