/** Writes the events that a person wants to read to the logger of a service, one line each. */
import { errorMessage } from '@hustings/base';
import { notify } from '../../lease/observer.ts';
import type { ElectorEvent } from './elector-event.ts';
import { waitedFor, waitingText } from './waiting-text.ts';

/** One line of the log. */
export interface LogEntry {
  /** error: the work is overdue. warn: a loss, a store error, work that failed. info: everything else. */
  readonly level: 'info' | 'warn' | 'error';
  /** Names the election. */
  readonly message: string;
  /** For structured logs: election, candidate, event, and token, reason or err where the event has one. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The part of `console`, pino and most other loggers that hustings uses. */
export interface LogMethods {
  /** Waiting, leading, the end of a term, a store that answers again. */
  info(...args: never[]): void;
  /** A loss, a store error, work that failed. */
  warn(...args: never[]): void;
  /** Work that is overdue. */
  error(...args: never[]): void;
}

/** pino, `console`, another logger with methods for the levels, or a function. */
export type ElectorLogger = LogMethods | ((entry: LogEntry) => void);

/** The function that takes the events of one elector. */
export function eventLogger(
  logger: ElectorLogger,
  election: string,
  candidate: string,
): (event: ElectorEvent) => void {
  const write = typeof logger === 'function' ? logger : writerTo(logger);
  let waitsFor: string | null = null;
  return (event) => {
    if (event.type === 'waiting') {
      const before = waitsFor;
      waitsFor = waitedFor(event);
      if (waitsFor === null || waitsFor === before) return;
    } else if (event.type === 'elected') waitsFor = null;
    const line = lineOf(event);
    if (line === null) return;
    const { level, text, ...rest } = line;
    const fields = { election, candidate, event: event.type, ...rest };
    notify(write, { level, message: `hustings: '${election}': ${text}`, fields }, 'logger');
  };
}

/** pino takes the fields before the message. Other loggers get the message alone. */
function writerTo(logger: LogMethods): (entry: LogEntry) => void {
  const isPino = typeof (logger as { bindings?: unknown }).bindings === 'function';
  return ({ level, message, fields }) => {
    const args: unknown[] = isPino ? [fields, message] : [message];
    return logger[level](...(args as never[]));
  };
}

type Line = { level: LogEntry['level']; text: string } & Record<string, unknown>;

/** Null for events that are frequent, or that another one repeats. */
function lineOf(event: ElectorEvent): Line | null {
  if ('lead' in event) {
    const line = lineOfTerm(event);
    return line === null ? null : { ...line, token: String(event.lead.token) };
  }
  switch (event.type) {
    case 'waiting': {
      const { holder, successor } = event;
      return { level: 'info', text: waitingText(event, seconds), holder, successor };
    }
    case 'store-error':
      return {
        level: 'warn',
        text: `store error: ${errorMessage(event.error)}`,
        kind: event.kind,
        err: event.error,
      };
    case 'slots-differ': {
      const { holder, theirs, own } = event;
      return { level: 'warn', text: slotsText(event), holder, theirs, own };
    }
    case 'store-recovered': {
      const { errors, afterMs } = event;
      return { level: 'info', text: `the store answers again after ${afterMs} ms`, errors, afterMs };
    }
    default:
      return null;
  }
}

function lineOfTerm(event: Extract<ElectorEvent, { readonly lead: unknown }>): Line | null {
  const { token } = event.lead;
  switch (event.type) {
    case 'elected':
      return { level: 'info', text: `leading with token ${token}` };
    case 'lost':
      return { level: 'warn', text: `lost: ${event.detail}`, reason: event.reason };
    case 'overdue':
      return {
        level: 'error',
        text: `the work of term ${token} still runs, and its deadline has passed`,
      };
    case 'ended':
      return { level: 'info', text: `term ${token} ended: ${event.reason}`, reason: event.reason };
    case 'tick-ended': {
      if (event.state === 'completed') return null;
      const { state, tickMs, error } = event;
      const why = error === null ? '' : `: ${errorMessage(error)}`;
      const text = `the tick of ${new Date(tickMs).toISOString()} ${state === 'failed' ? 'failed' : 'was interrupted'}${why}`;
      return { level: 'warn', text, state, tickMs, err: error };
    }
    case 'tick-ahead': {
      const { tickMs, aheadMs } = event;
      return { level: aheadMs > 0 ? 'warn' : 'info', text: aheadText(event), tickMs, aheadMs };
    }
    case 'work-failed':
      return {
        level: 'warn',
        text: `the work of term ${token} failed after its end: ${errorMessage(event.error)}`,
        err: event.error,
      };
    default:
      return null;
  }
}

/** What two candidates with different numbers of slots have to do. */
export function slotsText({ holder, theirs, own }: ElectorEvent & { readonly type: 'slots-differ' }): string {
  return `'${holder}' leads with slots: ${theirs}, and this candidate waits, with slots: ${own}; start all candidates with the same number`;
}

/** What somebody has to do about a tick that was recorded by a clock that was ahead. */
export function aheadText({ tickMs, aheadMs }: ElectorEvent & { readonly type: 'tick-ahead' }): string {
  if (aheadMs === 0) return 'no recorded tick lies ahead any more: the schedule goes on';
  return (
    `the newest recorded tick, ${new Date(tickMs).toISOString()}, lies ${Math.ceil(aheadMs / 1_000)} s in the future, and none ` +
    'starts before it: a clock was wrong; check the clock of the store, then reset the ticks of the election'
  );
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
