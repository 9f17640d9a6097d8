/**
 * The decisions of all nodes, by term, and the first violation of the rules that must hold at every moment: a decision
 * never changes within its term, a node never returns to an earlier term, and at most one node leads a term.
 *
 * Guarantees: the first violation is recorded, not thrown. The simulator makes it an error, the checker a counterexample,
 * and a run with `despite` a result. Does not check that the run ends with a leader; see packages/study/src/properties.
 */
import type { Role } from './context.ts';
import { NONE } from './field.ts';

/** The role of a node without a decision. */
export const UNDECIDED = 0;
/** The role of a leader. */
export const LEADER = 1;
/** The role of a follower. */
export const FOLLOWER = 2;

/** What a node has decided, in readable form. */
export interface Decision {
  readonly role: Role;
  readonly leader: number | null;
  readonly term: number;
}

/** A violation of uniqueness or agreement, recorded when it happens. */
export interface Breach {
  readonly property: 'uniqueness' | 'agreement';
  readonly at: number;
  readonly text: string;
}

/** Is notified of the first breach. */
export interface Witness {
  /** Called while the handler that caused the breach still runs. */
  onBreach(breach: Breach): void;
}

const NO_TERMS: readonly number[] = [];

/** The decisions of all nodes, and the first breach. */
export class DecisionBook {
  /** Where a role is UNDECIDED, the other columns have no meaning. */
  readonly roles: Uint8Array;
  readonly leaders: Int32Array;
  readonly terms: Int32Array;
  /** In units. */
  readonly times: Float64Array;
  breach: Breach | null = null;
  /** Called at the first violation, while the handler that caused it still runs. */
  witness: Witness | null = null;
  /** The first leader of each term. */
  private readonly ledBy = new Map<number, number>();

  constructor(n: number) {
    this.roles = new Uint8Array(n);
    this.leaders = new Int32Array(n);
    this.terms = new Int32Array(n);
    this.times = new Float64Array(n);
  }

  /** Records a decision and checks it against the earlier ones. */
  record(at: number, code: number, leader: number, term: number, time: number): void {
    if (this.roles[at] !== UNDECIDED && term <= this.terms[at]) {
      if (this.repeats(at, code, leader, term)) return;
      this.noteChange(at, code, leader, term);
    }
    if (code === LEADER) this.lead(at, term);
    this.roles[at] = code;
    this.leaders[at] = leader;
    this.terms[at] = term;
    this.times[at] = time;
  }

  /** A crash erases the decision. The node remains the leader of its term for the check of uniqueness. */
  forget(at: number): void {
    this.roles[at] = UNDECIDED;
  }

  /** Null while undecided; the leader is null where nodes are anonymous. */
  read(at: number): Decision | null {
    if (this.roles[at] === UNDECIDED) return null;
    return decisionOf(this.roles[at], this.leaders[at], this.terms[at]);
  }

  /** Role, leader and term; zeros while undecided. */
  save(at: number): [role: number, leader: number, term: number] {
    if (this.roles[at] === UNDECIDED) return [UNDECIDED, 0, 0];
    return [this.roles[at], this.leaders[at], this.terms[at]];
  }

  /** Restores what `save` returned, and erases every other term that the node led. */
  load(at: number, role: number, leader: number, term: number): void {
    // The checker loads a node for every call of a handler, and a loop over an empty map costs more than this.
    if (this.ledBy.size > 0) for (const [led, by] of this.ledBy) if (by === at) this.ledBy.delete(led);
    if (role === LEADER) this.ledBy.set(term, at);
    this.roles[at] = role;
    this.leaders[at] = leader;
    this.terms[at] = term;
  }

  /** Clears the breach and all leaders, so that uniqueness is not checked across nodes. */
  reset(): void {
    this.breach = null;
    // Clearing allocates, also where there is nothing to clear.
    if (this.ledBy.size > 0) this.ledBy.clear();
  }

  /** The terms that some node has begun to lead since `reset`. */
  termsLed(): readonly number[] {
    // Most handlers lead nothing.
    return this.ledBy.size === 0 ? NO_TERMS : [...this.ledBy.keys()];
  }

  /** The decision of a node in words. */
  describe(at: number): string {
    return describeDecision(this.roles[at], this.leaders[at], this.terms[at]);
  }

  private repeats(at: number, code: number, leader: number, term: number): boolean {
    return term === this.terms[at] && this.roles[at] === code && this.leaders[at] === leader;
  }

  private noteChange(at: number, code: number, leader: number, term: number): void {
    const now = describeDecision(code, leader, term);
    this.note({ property: 'agreement', at, text: `was ${this.describe(at)} and then became ${now}` });
  }

  private lead(at: number, term: number): void {
    const other = this.ledBy.get(term);
    if (other === undefined) this.ledBy.set(term, at);
    else if (other !== at) {
      const text = `became the leader of term ${term}, which node ${other} has led already`;
      this.note({ property: 'uniqueness', at, text });
    }
  }

  private note(breach: Breach): void {
    if (this.breach !== null) return;
    this.breach = breach;
    this.witness?.onBreach(breach);
  }
}

function decisionOf(role: number, leader: number, term: number): Decision {
  return { role: role === LEADER ? 'leader' : 'follower', leader: leader === NONE ? null : leader, term };
}

/** Decisions from their words: a role, a leader and a term each. A decision that repeats the one before is left out. */
export function decisionsIn(words: readonly number[]): Decision[] {
  const made: Decision[] = [];
  for (let k = 0; k < words.length; k += 3) {
    const isRepeated =
      k > 0 && words[k] === words[k - 3] && words[k + 1] === words[k - 2] && words[k + 2] === words[k - 1];
    if (!isRepeated) made.push(decisionOf(words[k], words[k + 1], words[k + 2]));
  }
  return made;
}

function describeDecision(role: number, leader: number, term: number): string {
  if (role === UNDECIDED) return 'undecided';
  const inTerm = term > 0 ? ` of term ${term}` : '';
  if (role === LEADER) return `the leader${inTerm}`;
  return leader === NONE ? `a follower${inTerm}` : `a follower of ${leader}${inTerm}`;
}
