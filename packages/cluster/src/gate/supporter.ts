/**
 * The supporting half of the quorum gate, as pure functions: whom a member supports, and until when.
 *
 * Guarantees: a member supports one leader at a time. It supports another only when a whole lease has passed on its own
 * clock since it last answered the leader before. After a restart it supports nobody for a lease, the one on disk or the new
 * one, whichever is longer: the disk does not tell when it last answered. A token is supported for one leader only, and
 * tokens never fall.
 * Does not guarantee anything for a member that has lost its disk, unless it has recovered what it must know: see
 * folder/recovery.ts.
 */

/** No member. */
export const NOBODY = -1;

/** What a member keeps on disk. */
export interface Support {
  /** The largest token that it has supported; 0 if there is none. */
  readonly token: number;
  /** The leader for which it supported that token. */
  readonly leader: number;
  /** How long that support lasted. */
  readonly leaseMs: number;
}

/** The support of a member that has never supported anybody. */
export const NO_SUPPORT: Support = { token: 0, leader: NOBODY, leaseMs: 0 };

/** The same member, which from now on claims and grants only tokens above `token`. */
export function raisedTo(support: Support, token: number): Support {
  return token <= support.token ? support : { ...support, token, leader: NOBODY };
}

export interface Supporter {
  readonly support: Support;
  /** The leader to which it is bound; NOBODY after a restart. */
  readonly boundTo: number;
  /** Until this time it supports no other leader. */
  readonly boundUntilMs: number;
}

/** A supporter at the start of its process. */
export function startedSupporter(support: Support, startMs: number, leaseMs: number): Supporter {
  return { support, boundTo: NOBODY, boundUntilMs: startMs + Math.max(leaseMs, support.leaseMs) };
}

export type SupportRefusal = 'older token' | 'token of another leader' | 'bound';

export interface Consideration {
  readonly supporter: Supporter;
  /** Null if the support is granted. The answer leaves when `supporter.support` is on disk. */
  readonly refusal: SupportRefusal | null;
}

/** Considers the request of a member to be supported as the leader with a token. */
export function considerRequest(
  supporter: Supporter,
  from: number,
  token: number,
  nowMs: number,
  leaseMs: number,
): Consideration {
  const { support, boundTo, boundUntilMs } = supporter;
  const refuse = (refusal: SupportRefusal): Consideration => ({ supporter, refusal });
  if (token < support.token) return refuse('older token');
  if (token === support.token && from !== support.leader) return refuse('token of another leader');
  if (from !== boundTo && nowMs < boundUntilMs) return refuse('bound');
  const isKnown = token === support.token && leaseMs === support.leaseMs;
  return {
    supporter: {
      support: isKnown ? support : { token, leader: from, leaseMs },
      boundTo: from,
      boundUntilMs: nowMs + leaseMs,
    },
    refusal: null,
  };
}

/** The leader with this token has stopped to lead. */
export function released(supporter: Supporter, from: number, token: number, nowMs: number): Supporter {
  const { boundTo, support } = supporter;
  const isBound = boundTo === from && support.token === token && support.leader === from;
  return isBound ? { ...supporter, boundUntilMs: nowMs } : supporter;
}
