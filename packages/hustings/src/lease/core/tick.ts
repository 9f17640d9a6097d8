/**
 * The ticks of a schedule, as pure rules of a store. A tick is one time of the schedule, on the store's wall clock. It is
 * recorded under the token of a term before its work starts, in the transaction that checks that the term still holds the
 * lease. So each tick starts at most once, whatever candidates crash and whatever their clocks say.
 */
import type { LeaseRow } from './lease-row.ts';

/** running: started by a term that still lasts. interrupted: its term ended before its end was recorded. */
export type TickState = 'running' | 'completed' | 'failed' | 'interrupted' | 'missed';

/** One tick of a schedule. Times are milliseconds since 1970 on the store's wall clock. */
export interface Tick {
  readonly name: string;
  /** The time at which the schedule calls for the work. */
  readonly tickMs: number;
  readonly state: TickState;
  /** The term that recorded the tick. */
  readonly token: bigint;
  readonly holder: string;
  /** When the work started; for a missed tick, when it was recorded as missed. */
  readonly startMs: number;
  /** Null while the work runs, and if it was interrupted. */
  readonly endMs: number | null;
}

/** Which ticks to return. */
export interface TickQuery {
  /** The largest number of ticks. */
  readonly limit?: number;
}

/** A request of the holder to start a tick. */
export interface StartTickRequest {
  readonly name: string;
  readonly nonce: string;
  readonly token: bigint;
  /** The tick to start; null to record missed ticks only. */
  readonly tickMs: number | null;
  /** Earlier ticks that nobody will start, in increasing order. They are recorded as missed. */
  readonly missedMs: readonly number[];
  /** Starts the latest tick again if it was interrupted. */
  readonly retry: boolean;
}

/**
 * taken: this tick or a later one is recorded already. early: its time has not come on the store's clock. lost: the term no
 * longer holds the lease. Only `started` changes anything.
 */
export type StartTickAnswer =
  | { readonly type: 'started' }
  | { readonly type: 'taken'; readonly latestMs: number }
  | { readonly type: 'early'; readonly nowMs: number }
  | { readonly type: 'lost' };

/** How a started tick ended. */
export interface EndTickRequest {
  readonly name: string;
  readonly token: bigint;
  readonly tickMs: number;
  readonly state: 'completed' | 'failed';
}

/** A tick as it is stored: a term that ended leaves its tick as `running`. */
export type StoredTick = Tick & { readonly state: Exclude<TickState, 'interrupted'> };

/** The ticks to write, besides the answer. `isHolder`: the lease is held by the nonce and token of the request. */
export function startTick(
  latest: StoredTick | undefined,
  request: StartTickRequest,
  row: LeaseRow,
  isHolder: boolean,
  wallMs: number,
): { readonly answer: StartTickAnswer; readonly ticks: readonly StoredTick[] } {
  const { name, token, tickMs, missedMs, retry } = request;
  const { holder } = row;
  if (!isHolder || holder === null) return { answer: { type: 'lost' }, ticks: [] };
  const times = tickMs === null ? missedMs : [...missedMs, tickMs];
  const isInterrupted = latest?.state === 'running' && latest.token !== token;
  const isRetry = retry && isInterrupted && missedMs.length === 0 && tickMs === latest.tickMs;
  if (latest !== undefined && !isRetry && times.some((each) => each <= latest.tickMs)) {
    return { answer: { type: 'taken', latestMs: latest.tickMs }, ticks: [] };
  }
  if (times.some((each) => each > wallMs)) return { answer: { type: 'early', nowMs: wallMs }, ticks: [] };
  const tickOf = (each: number, isMissed: boolean): StoredTick => ({
    name,
    tickMs: each,
    state: isMissed ? 'missed' : 'running',
    token,
    holder: holder.id,
    startMs: wallMs,
    endMs: isMissed ? wallMs : null,
  });
  const ticks = missedMs.map((each) => tickOf(each, true));
  if (tickMs !== null) ticks.push(tickOf(tickMs, false));
  return { answer: { type: 'started' }, ticks };
}

/** A tick that is ahead by no more was recorded by a clock that differs a little: it does no harm. */
export const AHEAD_MS = 2_000;

/** Whether the tick was recorded by a clock that was ahead. */
export const isAhead = ({ tickMs }: Pick<Tick, 'tickMs'>, wallMs: number): boolean =>
  tickMs > wallMs + AHEAD_MS;

/** The tick after its end; null if the request does not end it. */
export function endTick(
  tick: StoredTick | undefined,
  { token, state }: EndTickRequest,
  wallMs: number,
): StoredTick | null {
  if (tick === undefined || tick.token !== token || tick.state !== 'running') return null;
  return { ...tick, state, endMs: Math.max(tick.startMs, wallMs) };
}

/** `heldToken` is the token of the unexpired lease; null if nobody holds it. */
export function shownTick(tick: StoredTick, heldToken: bigint | null): Tick {
  return tick.state === 'running' && tick.token !== heldToken ? { ...tick, state: 'interrupted' } : tick;
}
