/**
 * How members whose folders do not last take part again after a start, as pure functions. Such a member may have granted votes or
 * support that it has forgotten.
 *
 * R1 A member supports nobody before it has recovered. For one lease after its start it only waits. Then no leader and no candidate
 *    counts any more what its last process has granted.
 * R2 It then asks all other members of its list for the newest list, and for the largest token that they have supported, with its
 *    leader. For an algorithm with terms of its own these are the term and the vote. Answers to earlier questions do not count.
 * R3 A member that is recovering itself says so.
 * R4 A member has recovered when as many others as a majority of all members have answered that are not recovering. That is a
 *    majority of the others, and one more if the number of members is even: then it shares a member with the majorities of a list that
 *    has one member more. It has also recovered when all others have answered, recovering or not. Then it asks again, and each answer of
 *    a member that is recovering must be one of the same process to both questions: so all of them were recovering at one time.
 * R5 It takes the largest token of the answers and of its own disk. It has supported the leader that they name for this token. If
 *    they name two, it may have supported either. Then it takes the next token, with which it has supported nobody.
 * R6 An answer counts only when this member has stored the list that the other one used, or a newer one.
 *
 * Guarantees, if clock rates differ by less than the margin of the lease: whatever a leader has led with by the help of a
 * member that forgot it, that member knows when it has recovered. The leader had a majority before the member asked, so one of
 * those that answered belongs to it.
 * Does not guarantee this when half of the members or more have forgotten at once, of the list with which they start: then all of them
 * must answer, and terms and tokens that only the forgetful ones knew may be used again. An old leader of such a term that stood
 * still may then lead beside the new one.
 */
import { NOBODY } from '../gate/supporter.ts';
import { compareRecords, type RecordName } from '../membership/list-record.ts';

/** The largest token, or term, that a member has supported a leader with. */
export interface KnownToken {
  readonly token: number;
  /** NOBODY if it has supported none with it. */
  readonly leader: number;
}

export interface RecoveryAnswer extends KnownToken {
  /** A number of the process that answers; no other process of any member has it. */
  readonly process: number;
  readonly isRecovering: boolean;
  /** The list that the member has stored; null before it has one. */
  readonly list: RecordName | null;
}

/** A member that has not recovered. */
export interface Recovery {
  /** R1: when it may ask. */
  readonly asksAtMs: number;
  /** The number of its questions. */
  readonly question: number;
  /** The latest answer of each other member, by its id. */
  readonly answers: Readonly<Record<string, RecoveryAnswer>>;
  /** R4: the processes that were recovering when all others had answered the question before. */
  readonly wereRecovering: readonly number[];
}

/** R1. `question` is a number that no earlier process of this member has used. */
export function startedRecovery(startMs: number, leaseMs: number, question: number): Recovery {
  return { asksAtMs: startMs + leaseMs, question, answers: {}, wereRecovering: [] };
}

/** R1: a list with a longer lease was received. What was answered before that lease has passed does not count. */
export function extendedRecovery(recovery: Recovery, asksAtMs: number): Recovery {
  if (asksAtMs <= recovery.asksAtMs) return recovery;
  return { asksAtMs, question: recovery.question + 1, answers: {}, wereRecovering: [] };
}

/** R1. */
export function mayAsk({ asksAtMs }: Recovery, nowMs: number): boolean {
  return nowMs >= asksAtMs;
}

/** R2. */
export function withAnswer(
  recovery: Recovery,
  question: number,
  from: number,
  answer: RecoveryAnswer,
): Recovery {
  if (question !== recovery.question) return recovery;
  return { ...recovery, answers: { ...recovery.answers, [from]: answer } };
}

/** R4: how many others that are not recovering must answer, unless all others do. */
export function neededAnswers(members: number): number {
  return Math.min(Math.floor(members / 2) + 1, members - 1);
}

/** R6: the answers that count for a member of this list, by the id of the other one. `list` is the list that it has stored. */
export function countedAnswers(
  { answers }: Pick<Recovery, 'answers'>,
  members: readonly number[],
  self: number,
  list: RecordName | null,
): ReadonlyMap<number, RecoveryAnswer> {
  const counted = members.flatMap((id) => {
    const answer = id === self ? undefined : answers[id];
    const isStored = answer?.list == null || (list !== null && compareRecords(list, answer.list) >= 0);
    return answer !== undefined && isStored ? [[id, answer] as const] : [];
  });
  return new Map(counted);
}

/** R4: the next question, when all others have answered this one. What members have said that are not recovering still counts. */
export function askedAgain(
  recovery: Recovery,
  members: readonly number[],
  self: number,
  list: RecordName | null,
): Recovery {
  const counted = [...countedAnswers(recovery, members, self, list)];
  if (counted.length < members.length - 1) return recovery;
  return {
    ...recovery,
    question: recovery.question + 1,
    answers: Object.fromEntries(counted.filter(([, { isRecovering }]) => !isRecovering)),
    wereRecovering: counted.flatMap(([, { isRecovering, process }]) => (isRecovering ? [process] : [])),
  };
}

/** R4, R5, R6: what a member of this list takes for its own; null if it has not recovered. `own` is on its disk. */
export function recollected(
  recovery: Recovery,
  members: readonly number[],
  self: number,
  own: KnownToken,
  list: RecordName | null,
  needed = neededAnswers(members.length),
): KnownToken | null {
  const counted = [...countedAnswers(recovery, members, self, list).values()];
  const steady = counted.filter(({ isRecovering }) => !isRecovering);
  const recovering = counted.filter(
    ({ isRecovering, process }) => isRecovering && recovery.wereRecovering.includes(process),
  );
  if (steady.length < needed && steady.length + recovering.length < members.length - 1) return null;
  const token = Math.max(own.token, ...counted.map((answer) => answer.token));
  const leaders = [own, ...counted].filter((known) => known.token === token).map(({ leader }) => leader);
  const [leader = NOBODY, ...more] = new Set(leaders.filter((each) => each !== NOBODY));
  return more.length === 0 ? { token, leader } : { token: token + 1, leader: NOBODY };
}
