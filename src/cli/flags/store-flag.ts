/** The store of a command: `--store`, else HUSTINGS_STORE, else a file of this user. */
import { InputError } from '../../errors/hustings-error.ts';
import { defaultStoreUrl } from '../../lease/index.ts';
import { hasPassword } from '../../lease/store-url.ts';
import { parseStoreUrl, sharedStoreForms } from '../../lease/stores/registry.ts';

export const STORE_HELP = `store: ${sharedStoreForms()} (default: $HUSTINGS_STORE, or a file of this user)`;

export function storeUrlOf(given: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  if (given !== undefined && hasPassword(given)) {
    throw new InputError(
      '--store must not contain a password, because every user of this host can read it in the process list; ' +
        'put the URL into the environment variable HUSTINGS_STORE',
    );
  }
  const url = given ?? (env.HUSTINGS_STORE || defaultStoreUrl(env));
  try {
    parseStoreUrl(url);
  } catch (error) {
    // Name the variable: a user would otherwise look for the mistake on the command line.
    if (given !== undefined || !(error instanceof InputError)) throw error;
    throw new InputError(`HUSTINGS_STORE: ${error.message}`);
  }
  return url;
}
