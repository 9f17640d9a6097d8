/** The store of a command: `--store`, else HUSTINGS_STORE, else a file of this user. */
import { InputError } from '@hustings/base';
import { privateStoreText, userStoreUrl, whyPrivate } from '../../lease/default-store.ts';
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
  const url = given ?? (env.HUSTINGS_STORE || userStoreUrl(env));
  try {
    parseStoreUrl(url);
  } catch (error) {
    // Name the variable: a user would otherwise look for the mistake on the command line.
    if (given !== undefined || !(error instanceof InputError)) throw error;
    throw new InputError(`HUSTINGS_STORE: ${error.message}`);
  }
  return url;
}

/** The same for a command that looks at the leases of other processes. */
export function sharedStoreUrlOf(given: string | undefined): string {
  const url = storeUrlOf(given);
  if (parseStoreUrl(url).store.shared) return url;
  throw new InputError('the memory store is not shared with other processes; use sqlite:PATH or a server');
}

/** The store of a candidate. The default store is refused where other candidates do not share it, unless `isLocal`. */
export function candidateStoreUrl(
  given: string | undefined,
  isLocal: boolean,
  warn: (message: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): string {
  if (given !== undefined && isLocal) throw new InputError('--store and --local exclude each other');
  if (!isLocal && (given !== undefined || env.HUSTINGS_STORE)) return storeUrlOf(given, env);
  const why = whyPrivate(env);
  if (why !== null && !isLocal) {
    throw new InputError(
      `${privateStoreText(env, why)}; use --store or HUSTINGS_STORE, or --local to elect a leader among the processes here`,
    );
  }
  if (why !== null) warn(privateStoreText(env, why));
  return userStoreUrl(env);
}
