/**
 * One term of a command: it is started under the guard, the guard is told of every renewal, and the command is
 * stopped when the lead is lost.
 *
 * Guaranteed: `end` settles only when the command is dead with all that it forked, so that a lease which is released
 * afterwards is never released too soon. The deadlines that the guard knows are never later than the lead's own.
 */
import type { Deadline } from './deadline.ts';
import type { CommandEnd, Guard } from './guard.ts';

/** What a term needs to know of the lead: see the elector's. */
export interface TermLead {
  readonly signal: AbortSignal;
  /** When the work must have stopped; null when it must have already. */
  readonly deadline: Deadline | null;
}

export interface TermPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** From the soft to the hard deadline. */
  readonly noticeMs: number;
  /** From SIGTERM to SIGKILL, where the lease lasts so long. */
  readonly graceMs: number;
}

/** Killing takes time too: on a busy machine some 10 to 30 ms, until the last process is dead. */
const KILL_TAKES_MS = 100;
const PAST: Deadline = { monoMs: 0, wallMs: 0 };

export class GuardedTerm {
  readonly end: Promise<CommandEnd>;
  readonly #guard: Guard;
  readonly #lead: TermLead;
  readonly #plan: TermPlan;

  /** Starts the command. */
  constructor(guard: Guard, lead: TermLead, plan: TermPlan) {
    this.#guard = guard;
    this.#lead = lead;
    this.#plan = plan;
    const { command, args, env } = plan;
    const stop = (): void => this.stop();
    this.end = guard
      .run({ command, args, env, ...this.#deadlines() })
      .finally(() => lead.signal.removeEventListener('abort', stop));
    if (lead.signal.aborted) stop();
    else lead.signal.addEventListener('abort', stop);
  }

  /** To be called when the lead's deadline has moved. */
  look(): void {
    const { soft, hard } = this.#deadlines();
    this.#guard.extend(soft, hard);
  }

  /** SIGTERM, and SIGKILL after the grace, or when the lease is about to end. */
  stop(): void {
    this.look();
    this.#guard.stop(this.#plan.graceMs);
  }

  #deadlines(): { readonly soft: Deadline; readonly hard: Deadline } {
    const end = this.#lead.deadline ?? PAST;
    const { noticeMs } = this.#plan;
    return { soft: earlier(end, noticeMs), hard: earlier(end, Math.min(KILL_TAKES_MS, noticeMs / 4)) };
  }
}

function earlier({ monoMs, wallMs }: Deadline, byMs: number): Deadline {
  return { monoMs: monoMs - byMs, wallMs: wallMs - byMs };
}
