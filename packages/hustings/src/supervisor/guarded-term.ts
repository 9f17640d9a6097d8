/**
 * One term of a command: the command starts under the guard, the guard learns of every renewal, and the command is
 * stopped when the term ends.
 *
 * Guaranteed: `end` settles only when the command is dead with everything that it forked, so a release after `end` is
 * never too early. The deadlines that the guard knows are never later than the lead's own.
 */
import type { ClockReading } from '../lease/core/clock-reading.ts';
import type { LeaseTiming } from '../lease/core/timing.ts';
import { childEnvironment, type TermFacts } from './child-environment.ts';
import { DeadlineFile } from './deadline-file.ts';
import type { CommandEnd, Guard } from './guard.ts';
import type { CommandDeadlines } from './guard-main.ts';

/** The part of the elector's lead that a term needs. */
export interface TermLead {
  readonly signal: AbortSignal;
  /** When the work must have stopped; null after the term. */
  readonly deadline: ClockReading | null;
}

export interface TermPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The file in which the command reads its deadline. */
  readonly deadlineFile: DeadlineFile | null;
  /** The time from SIGTERM to SIGKILL when the lease is not renewed. */
  readonly noticeMs: number;
  /** The time from SIGTERM to SIGKILL in all other cases, unless the lease expires sooner. */
  readonly stopGraceMs: number;
}

/** The plan of a command under this lead. Creates its deadline file, which the caller closes after the term. */
export function termPlan(
  { command, args, env, stopGraceMs }: Pick<TermPlan, 'command' | 'args' | 'env' | 'stopGraceMs'>,
  { killAfterMs, stopAfterMs }: Pick<LeaseTiming, 'killAfterMs' | 'stopAfterMs'>,
  lead: TermFacts,
): TermPlan {
  const deadlineFile = lead.deadline && DeadlineFile.create(lead.term, lead.deadline);
  return {
    command,
    args,
    env: childEnvironment(env, lead, deadlineFile?.path ?? null),
    deadlineFile,
    noticeMs: killAfterMs - stopAfterMs,
    stopGraceMs,
  };
}

/** Killing takes 10 to 30 ms on a busy machine, until the last process is dead. */
const KILL_TAKES_MS = 100;
const PAST: ClockReading = { monoMs: 0, wallMs: 0 };

export class GuardedTerm {
  readonly end: Promise<CommandEnd>;
  readonly #guard: Guard;
  readonly #lead: TermLead;
  readonly #plan: TermPlan;

  /** Starts the command. `terminates`: whether the command receives SIGTERM when its term has ended. */
  constructor(guard: Guard, lead: TermLead, plan: TermPlan, terminates = () => true) {
    this.#guard = guard;
    this.#lead = lead;
    this.#plan = plan;
    const { command, args, env } = plan;
    const deadlineFile = plan.deadlineFile?.path ?? null;
    const stop = (): void => this.stop(terminates());
    this.end = guard
      .run({ command, args, env, deadlineFile, ...this.#deadlines() })
      .finally(() => lead.signal.removeEventListener('abort', stop));
    if (lead.signal.aborted) stop();
    else lead.signal.addEventListener('abort', stop);
  }

  /** Sends the current deadlines to the guard and to the command. To be called when the lead's deadline has moved. */
  update(): void {
    this.#guard.extend(this.#deadlines());
    this.#plan.deadlineFile?.update(this.#lead.deadline ?? PAST);
  }

  /** SIGTERM, unless someone else sends it, then SIGKILL after the grace period, or when the lease is about to expire. */
  stop(terminates = true): void {
    this.update();
    this.#guard.stop(this.#plan.stopGraceMs, terminates);
  }

  #deadlines(): CommandDeadlines {
    const end = this.#lead.deadline ?? PAST;
    const { noticeMs } = this.#plan;
    return { stopAt: earlier(end, noticeMs), killAt: earlier(end, Math.min(KILL_TAKES_MS, noticeMs / 4)) };
  }
}

function earlier({ monoMs, wallMs }: ClockReading, byMs: number): ClockReading {
  return { monoMs: monoMs - byMs, wallMs: wallMs - byMs };
}
