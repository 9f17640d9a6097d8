/** Where a node of Raft stands now: a leader until it steps down, a follower while it hears from its leader. */
import { NONE, type NodeSummary } from '../../kernel/index.ts';

interface RaftState {
  readonly term: number;
  readonly leader: number;
  readonly role: 'follower' | 'pre-candidate' | 'candidate' | 'leader';
  readonly round: number;
  readonly yes: readonly number[];
  readonly promised: boolean;
}

interface RaftNode {
  readonly id: number;
  readonly n: number;
  readonly params: {
    readonly timeout: number;
    readonly prevote: boolean;
    readonly checkQuorum: boolean;
    readonly lease: boolean;
  };
}

export function raftStanding(state: RaftState, { id, n, params }: RaftNode): NodeSummary {
  const { leader, promised, role, round, term, yes } = state;
  const { checkQuorum, lease, prevote, timeout } = params;
  // A leader that has stepped down by R9 still has its own id there.
  const isKnown = role === 'follower' && leader !== id;
  // Where no node keeps promises, a follower names its leader until its election timeout.
  const isHeard = promised || !(prevote || lease);
  return {
    leader: role === 'leader' ? id : isKnown && isHeard ? leader : NONE,
    term,
    // Without R9 a leader needs no majority, and without R10 the answers of a majority bind nobody.
    lease: checkQuorum && lease ? { round, granted: majorityRound(round, yes, n), units: 2 * timeout } : null,
  };
}

/** The largest round that a majority has granted; a node grants all its own. */
function majorityRound(round: number, yes: readonly number[], n: number): number {
  const others = Math.floor(n / 2);
  if (others === 0) return round;
  return yes.toSorted((a, b) => b - a)[others - 1] ?? 0;
}
