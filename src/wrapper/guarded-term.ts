/**
 * One term of a command: it is started under the guard, the guard is told of every renewal, and the command is
 * stopped when the lead is lost.
 *
 * Guaranteed: it settles only when the command is dead with all that it forked, so that a lease which is released
 * afterwards is never released too soon. The deadlines that the guard knows are never later than the lead's own.
 */
import { type Deadline, deadlineIn } from './deadline.ts';
import type { CommandEnd, Guard } from './guard-process.ts';

/** What a term needs to know of the lead: see the elector's. */
export interface TermLead {
  readonly signal: AbortSignal;
  /** Until the work must have stopped. */
  remainingMs(): number;
}

export interface TermPlan {
  readonly command: string;
  readonly args: readonly string[];
  /** Made when the term begins: `deadlineMs` is the wall clock's. */
  readonly env: (deadlineMs: number) => NodeJS.ProcessEnv;
  /** From the soft to the hard deadline. */
  readonly noticeMs: number;
  /** From SIGTERM to SIGKILL, where the lease lasts so long. */
  readonly graceMs: number;
  /** How often to look whether the lease was renewed. */
  readonly lookMs: number;
}

/** Clocks are read in whole milliseconds. */
const SAME_MS = 5;

export async function runGuarded(guard: Guard, lead: TermLead, plan: TermPlan): Promise<CommandEnd> {
  const hardNow = (): Deadline => deadlineIn(lead.remainingMs());
  const softOf = ({ monoMs, wallMs }: Deadline): Deadline => ({
    monoMs: monoMs - plan.noticeMs,
    wallMs: wallMs - plan.noticeMs,
  });
  let told = hardNow();
  const tellRenewal = (): void => {
    const hard = hardNow();
    // Also where it is sooner: then the lease is lost.
    if (Math.abs(hard.monoMs - told.monoMs) < SAME_MS) return;
    told = hard;
    guard.extend(softOf(hard), hard);
  };
  const stop = (): void => {
    tellRenewal();
    guard.stop(plan.graceMs);
  };
  const { command, args } = plan;
  const end = guard.run({ command, args, env: plan.env(told.wallMs), soft: softOf(told), hard: told });
  if (lead.signal.aborted) stop();
  else lead.signal.addEventListener('abort', stop, { once: true });
  const timer = setInterval(tellRenewal, plan.lookMs);
  try {
    return await end;
  } finally {
    clearInterval(timer);
    lead.signal.removeEventListener('abort', stop);
  }
}
