/**
 * The environment of a command that runs while its wrapper leads: that of the wrapper, with what the term is, and without
 * what gives access to the store.
 *
 * HUSTINGS_DEADLINE_MS is the moment, in milliseconds since 1970, at which the command would be killed if the lease were
 * not renewed again after the start. Each renewal moves that moment on, which the environment of a running process cannot
 * show: until then the lease is sure, afterwards SIGTERM tells of its loss.
 */

import type { Deadline } from './deadline.ts';

/** Variables that hold a password or a key. */
const SECRETS = ['HUSTINGS_STORE', 'HUSTINGS_FENCE_KEY'];

/** Of the elector's lead. */
export interface TermFacts {
  readonly term: { readonly name: string; readonly token: bigint; readonly nonce: string };
  readonly fence: string;
  readonly deadline: Deadline | null;
}

export function childEnvironment(
  own: NodeJS.ProcessEnv,
  { term, fence, deadline }: TermFacts,
): NodeJS.ProcessEnv {
  return {
    ...withoutSecrets(own),
    HUSTINGS_NAME: term.name,
    HUSTINGS_TOKEN: String(term.token),
    HUSTINGS_FENCE: fence,
    HUSTINGS_TERM: term.nonce,
    HUSTINGS_DEADLINE_MS: String(Math.floor(deadline?.wallMs ?? 0)),
  };
}

/** For the guard, which is a Node process: options that are meant for the command must not change it. */
export function guardEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...rest } = withoutSecrets(own);
  return rest;
}

function withoutSecrets(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(own).filter(([name]) => !SECRETS.includes(name)));
}
