/**
 * The properties of a leader election, judged among the live nodes in the highest term that any of them decided.
 * Termination: every node has decided. Uniqueness: exactly one node leads that term. Agreement: all nodes have decided in
 * it and name the same leader. Anonymous nodes name no leader; agreement then means that all nodes but one follow.
 */
import { type DecisionBook, LEADER, UNDECIDED } from '../kernel/decisions.ts';
import { DEAD } from '../kernel/machine/status.ts';

/** Which properties a run satisfies. */
export interface Validity {
  readonly termination: boolean;
  readonly uniqueness: boolean;
  readonly agreement: boolean;
}

/** The leader, the validity and the first fault of a run. */
export interface Judgement {
  readonly valid: Validity;
  /** The position of the leader; null unless there is exactly one. */
  readonly leader: number | null;
  /** The first violation; null if there is none. */
  readonly fault: { readonly property: keyof Validity; readonly text: string } | null;
}

/** Judges positions 0 to n−1; `ids` is null if nodes are anonymous. */
export function judge(
  decisions: DecisionBook,
  status: Uint8Array,
  n: number,
  ids: Int32Array | null,
): Judgement {
  const { roles, terms } = decisions;
  let term = 0;
  for (let at = 0; at < n; at++) {
    if ((status[at] & DEAD) === 0 && roles[at] !== UNDECIDED && terms[at] > term) term = terms[at];
  }
  let undecided = -1;
  let stale = -1;
  let first = -1;
  let second = -1;
  let live = 0;
  let decided = 0;
  for (let at = 0; at < n; at++) {
    if ((status[at] & DEAD) !== 0) continue;
    live++;
    if (roles[at] !== UNDECIDED) decided++;
    if (roles[at] === UNDECIDED) undecided = undecided < 0 ? at : undecided;
    else if (terms[at] !== term) stale = stale < 0 ? at : stale;
    else if (roles[at] === LEADER) {
      if (first < 0) first = at;
      else if (second < 0) second = at;
    }
  }
  const dissenter = ids === null ? second : findDissenter(decisions, status, n, term, first);
  const { breach } = decisions;
  const fault: Judgement['fault'] =
    breach !== null
      ? { property: breach.property, text: `node ${breach.at} ${breach.text}` }
      : undecided >= 0
        ? {
            property: 'termination',
            text: `${live > 1 && decided === 0 ? 'no node has' : `node ${undecided} has not`} decided`,
          }
        : live === 0
          ? { property: 'termination', text: 'no node is alive' }
          : first < 0
            ? { property: 'uniqueness', text: 'nobody leads' }
            : second >= 0
              ? { property: 'uniqueness', text: `nodes ${first} and ${second} both lead` }
              : stale >= 0
                ? { property: 'agreement', text: `node ${stale} is still ${decisions.describe(stale)}` }
                : dissenter >= 0
                  ? { property: 'agreement', text: `node ${dissenter} is ${decisions.describe(dissenter)}` }
                  : null;
  return {
    valid: {
      termination: undecided < 0 && live > 0,
      uniqueness: first >= 0 && second < 0 && breach?.property !== 'uniqueness',
      agreement: undecided < 0 && stale < 0 && dissenter < 0 && breach?.property !== 'agreement',
    },
    leader: first >= 0 && second < 0 ? first : null,
    fault,
  };
}

/** The first live node that names another leader than the others do. */
function findDissenter(
  { roles, leaders, terms }: DecisionBook,
  status: Uint8Array,
  n: number,
  term: number,
  leader: number,
): number {
  let measure = leader;
  for (let at = 0; at < n; at++) {
    if ((status[at] & DEAD) !== 0 || roles[at] === UNDECIDED || terms[at] !== term) continue;
    if (measure < 0) measure = at;
    if (leaders[at] !== leaders[measure]) return at;
  }
  return -1;
}

/** Finds two nodes that have led the same term. The terms of each node ascend. */
export function findTwoLeaders(
  n: number,
  ledBy: (at: number) => readonly number[],
): { property: 'uniqueness'; text: string } | null {
  for (let at = 1; at < n; at++) {
    const led = ledBy(at);
    if (led.length === 0) continue;
    for (let other = 0; other < at; other++) {
      const term = firstInBoth(led, ledBy(other));
      if (term === undefined) continue;
      const of = term > 0 ? ` term ${term}` : '';
      return { property: 'uniqueness', text: `nodes ${other} and ${at} both lead${of}` };
    }
  }
  return null;
}

/** The smallest number that two ascending lists have: one pass over both, because a search asks this in every state. */
function firstInBoth(one: readonly number[], other: readonly number[]): number | undefined {
  for (let k = 0, l = 0; k < one.length && l < other.length; ) {
    if (one[k] === other[l]) return one[k];
    if (one[k] < other[l]) k++;
    else l++;
  }
  return undefined;
}
