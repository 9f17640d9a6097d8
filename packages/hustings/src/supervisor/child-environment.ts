/**
 * The environment of the command: that of the supervisor, plus the term, minus the secrets of the store.
 *
 * HUSTINGS_DEADLINE_MS is the time, in milliseconds since 1970, at which the command would be killed if the lease were
 * never renewed after the start. Renewals move the deadline, but cannot change the environment of a running process: the
 * file that HUSTINGS_DEADLINE_FILE names has the current one. The variable is absent if the file could not be made.
 */
import type { ClockReading } from '../lease/core/clock-reading.ts';

/** Variables that contain a password or a key. */
const SECRETS = ['HUSTINGS_STORE', 'HUSTINGS_FENCE_KEY', 'HUSTINGS_SERVE_TOKEN'];

/** The part of a lead that the command learns. */
export interface TermFacts {
  readonly term: { readonly name: string; readonly token: bigint; readonly nonce: string };
  readonly tokens: Readonly<Record<string, bigint>>;
  readonly fence: string;
  readonly fences: Readonly<Record<string, string>>;
  readonly slot: number;
  readonly deadline: ClockReading | null;
}

export function childEnvironment(
  own: NodeJS.ProcessEnv,
  { term, tokens, slot, fence, fences, deadline }: TermFacts,
  deadlineFile: string | null,
): NodeJS.ProcessEnv {
  // Under another supervisor the variable names the file of another term.
  const { HUSTINGS_DEADLINE_FILE: _, ...inherited } = withoutSecrets(own);
  return {
    ...inherited,
    HUSTINGS_NAME: term.name,
    HUSTINGS_SLOT: String(slot),
    HUSTINGS_TOKEN: String(term.token),
    HUSTINGS_TOKENS: JSON.stringify(tokens, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    HUSTINGS_FENCE: fence,
    HUSTINGS_FENCES: JSON.stringify(fences),
    HUSTINGS_NONCE: term.nonce,
    HUSTINGS_DEADLINE_MS: String(Math.floor(deadline?.wallMs ?? 0)),
    ...(deadlineFile !== null && { HUSTINGS_DEADLINE_FILE: deadlineFile }),
  };
}

/** The environment of the guard. NODE_OPTIONS is meant for the command and must not change the guard. */
export function guardEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...rest } = withoutSecrets(own);
  return rest;
}

function withoutSecrets(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(own).filter(([name]) => !SECRETS.includes(name)));
}
