/**
 * The processes that a holder may have started and that live after it. A child is in the session of the process that started
 * it, and starts after it. After the death of the holder nothing else links the two: an orphan is adopted by the first process
 * or by an ancestor of the holder. So every later process of the session is suspect, except
 *
 * - a process with an ancestor that is older than the holder and not an ancestor of the holder: it descends from that one;
 * - candidates of the same election with what they started, and the shells and launchers that started them. Replicas that
 *   one shell, npm script or process manager started share a session.
 */

import { ancestorsOf, examineSession, type ProcessEntry } from '@hustings/base/node';
import { CandidateMarks } from './candidate-mark.ts';

export interface Survivors {
  /** True if all of them belong to candidates in this election. `election` is what `markCandidate` was given. */
  areCandidates(election: string): boolean;
}

export const NO_SURVIVORS: Survivors = { areCandidates: () => true };

export interface EndedHolder {
  readonly session: number;
  readonly startTicks: number;
  /** Each as `pid:startTicks`. */
  readonly ancestors: ReadonlySet<string>;
}

/** Null if the process table changed too fast to be sure. */
export function survivorsOf(holder: EndedHolder): Survivors | null {
  const { found, isSure } = examineSession(holder.session);
  if (!isSure) return null;
  const lineages = found
    .filter((entry) => isLater(entry, holder))
    .map((entry) => lineageOf(entry, holder))
    .filter((lineage) => lineage !== null);
  const pids = new Set(lineages.flat());
  const marks = new Map([...pids].map((pid) => [pid, new CandidateMarks(pid)]));
  return {
    areCandidates: (election) => {
      const excepted = lineages.filter((lineage) => lineage.some((pid) => marks.get(pid)!.has(election)));
      const cleared = new Set(excepted.flat());
      return lineages.every(([pid]) => cleared.has(pid));
    },
  };
}

/** A tick is 10 ms: the same tick counts as later. An ancestor may have started in it too. */
function isLater(entry: ProcessEntry, { startTicks, ancestors }: EndedHolder): boolean {
  return entry.startTicks >= startTicks && !ancestors.has(`${entry.pid}:${entry.startTicks}`);
}

/** A process with its later ancestors. Null if it certainly does not descend from the holder. */
function lineageOf(entry: ProcessEntry, holder: EndedHolder): number[] | null {
  const lineage = [entry.pid];
  for (const ancestor of ancestorsOf(entry)) {
    if (isLater(ancestor, holder)) lineage.push(ancestor.pid);
    else {
      const isAdopter = ancestor.pid === 1 || holder.ancestors.has(`${ancestor.pid}:${ancestor.startTicks}`);
      return isAdopter ? lineage : null;
    }
  }
  return lineage;
}
