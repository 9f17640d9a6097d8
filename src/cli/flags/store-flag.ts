/** Which store a command means: `--store`, else the environment, else the file of this user. */
import { InputError } from '../../kernel/index.ts';
import { defaultStoreUrl, hasPassword, parseStoreUrl } from '../../lease/index.ts';

export const STORE_HELP =
  'sqlite:PATH, redis://…, postgres://… (default: $HUSTINGS_STORE, or a file of this user on this host)';

export function storeUrlOf(given: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  if (given !== undefined && hasPassword(given)) {
    throw new InputError(
      'expected a --store without a password, which everybody on this host could read in the list of processes: ' +
        'put the URL into the environment variable HUSTINGS_STORE',
    );
  }
  const url = given ?? (env.HUSTINGS_STORE || defaultStoreUrl(env));
  try {
    parseStoreUrl(url);
  } catch (error) {
    // Who mistyped a variable last week looks for the slip on the command line.
    if (given !== undefined || !(error instanceof InputError)) throw error;
    throw new InputError(`in the environment variable HUSTINGS_STORE: ${error.message}`);
  }
  return url;
}
