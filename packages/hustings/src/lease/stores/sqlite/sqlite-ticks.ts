/** The ticks of the schedules. The rules are those of tick.ts. */
import type { ClockReading } from '../../core/clock-reading.ts';
import * as rules from '../../core/lease-row.ts';
import * as ticks from '../../core/tick.ts';
import { withTokenText } from '../../core/token-text.ts';
import type { SqliteDatabase } from '../sqlite-library.ts';
import { storedTick, TICK_COLUMNS } from './sqlite-row.ts';
import { excluded, places, prepareAll, type Statements } from './sqlite-statements.ts';

export class SqliteTicks {
  readonly #keepTicks: number;
  readonly #statements: Statements<typeof TEXTS>;

  constructor(database: SqliteDatabase, keepTicks: number) {
    this.#keepTicks = keepTicks;
    this.#statements = prepareAll(database, TEXTS);
  }

  start(request: ticks.StartTickRequest, row: rules.LeaseRow, now: ClockReading): ticks.StartTickAnswer {
    const { name } = request;
    const [latest] = this.#list(name, 1);
    const isHolder = rules.holds(row, request, now.monoMs);
    const started = ticks.startTick(latest, request, row, isHolder, now.wallMs);
    for (const tick of started.ticks) this.#put(tick);
    if (started.ticks.length > 0) this.#statements.drop.run(name, name, this.#keepTicks);
    return started.answer;
  }

  end(request: ticks.EndTickRequest, now: ClockReading): boolean {
    const columns = this.#statements.get.get(request.name, request.tickMs);
    const ended = ticks.endTick(columns && storedTick(columns), request, now.wallMs);
    if (ended !== null) this.#put(ended);
    return ended !== null;
  }

  /** Removes the ticks that are ahead of the clock, and returns them. */
  reset(name: string, row: rules.LeaseRow, now: ClockReading): readonly ticks.Tick[] {
    const removed = this.list(name, row, now).filter((tick) => ticks.isAhead(tick, now.wallMs));
    for (const { tickMs } of removed) this.#statements.remove.run(name, tickMs);
    return removed;
  }

  /** The newest first. */
  list(name: string, row: rules.LeaseRow, now: ClockReading, limit = -1): readonly ticks.Tick[] {
    const { holder, token } = rules.recordOf(name, row, now.monoMs);
    const heldToken = holder === null ? null : token;
    return this.#list(name, limit).map((tick) => withTokenText({ ...ticks.shownTick(tick, heldToken) }));
  }

  #list(name: string, limit: number): ticks.StoredTick[] {
    return this.#statements.list.all(name, limit).map(storedTick);
  }

  #put({ name, tickMs, state, token, holder, startMs, endMs }: ticks.StoredTick): void {
    this.#statements.put.run(name, tickMs, state, token, holder, startMs, endMs);
  }
}

const TEXTS = {
  get: `SELECT ${TICK_COLUMNS} FROM hustings_tick WHERE name = ? AND tick_ms = ?`,
  list: `SELECT ${TICK_COLUMNS} FROM hustings_tick WHERE name = ? ORDER BY tick_ms DESC LIMIT ?`,
  put: `INSERT INTO hustings_tick (${TICK_COLUMNS}) VALUES (${places(TICK_COLUMNS)})
    ON CONFLICT (name, tick_ms) DO UPDATE SET ${excluded(TICK_COLUMNS)}`,
  remove: 'DELETE FROM hustings_tick WHERE name = ? AND tick_ms = ?',
  drop: `DELETE FROM hustings_tick WHERE name = ? AND tick_ms <=
    (SELECT tick_ms FROM hustings_tick WHERE name = ? ORDER BY tick_ms DESC LIMIT 1 OFFSET ?)`,
};
