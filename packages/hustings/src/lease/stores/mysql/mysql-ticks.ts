/**
 * The ticks of the schedules, in the rules of core/tick.ts. Every write of a tick also replaces the stamp of its lease, so a
 * tick that was read after the lease is the latest one when the lease is written.
 */
import { holds, type LeaseRow, recordOf } from '../../core/lease-row.ts';
import * as ticks from '../../core/tick.ts';
import { withTokenText } from '../../core/token-text.ts';
import type { MysqlCalls } from './mysql-calls.ts';
import { type ChangeItem, type MysqlLeases, newStamp } from './mysql-leases.ts';
import { storedTick, TICK_COLUMNS } from './mysql-row.ts';
import { listOf, literal, NOW_MS } from './mysql-sql.ts';

const newest = (name: string, limit: number | undefined): string =>
  `SELECT ${TICK_COLUMNS} FROM hustings_tick WHERE name = ${literal(name)} ORDER BY tick_ms DESC
  ${limit === undefined ? '' : `LIMIT ${literal(limit)}`}`;

/** Undefined if the lease has changed in the meantime, or is locked. */
export async function startTick(
  leases: MysqlLeases,
  request: ticks.StartTickRequest,
  keepTicks: number,
): Promise<ticks.StartTickAnswer | undefined> {
  const { name } = request;
  const look = await leases.look([name], [newest(name, 1)]);
  const [latest] = look.more[0].map(storedTick);
  const item: ChangeItem<ticks.StartTickAnswer> = {
    name,
    rule: (row) => {
      const isHolder = holds(row, request, look.nowMs);
      const started = ticks.startTick(latest, request, row, isHolder, look.nowMs);
      const nothing = { row, answer: started.answer, ended: null };
      if (started.ticks.length === 0) return nothing;
      return { ...nothing, more: (isWritten) => writeTicks(started.ticks, keepTicks, isWritten) };
    },
  };
  const [changed] = await leases.change([item], look);
  return changed?.answer;
}

/** All ticks of a request have one state each: the missed ones, and the one that starts. */
function writeTicks(written: readonly ticks.StoredTick[], keepTicks: number, isWritten: string): string[] {
  const [{ name, token, holder, startMs }] = written;
  const insert = (state: 'missed' | 'running'): string[] => {
    const times = written.filter((tick) => tick.state === state).map(({ tickMs }) => tickMs);
    if (times.length === 0) return [];
    return [
      `INSERT INTO hustings_tick (${TICK_COLUMNS})
  SELECT ${literal(name)}, j.tick_ms, ${listOf([state, token, holder, startMs, state === 'missed' ? startMs : null])}
  FROM JSON_TABLE('${JSON.stringify(times)}', '$[*]' COLUMNS (tick_ms BIGINT PATH '$')) AS j WHERE ${isWritten}
  ON DUPLICATE KEY UPDATE state = VALUES(state), token = VALUES(token), holder = VALUES(holder),
    start_ms = VALUES(start_ms), end_ms = VALUES(end_ms)`,
    ];
  };
  const trim = `DELETE t FROM hustings_tick AS t JOIN (
    SELECT o.tick_ms FROM hustings_tick AS o WHERE o.name = ${literal(name)} ORDER BY o.tick_ms DESC LIMIT 1 OFFSET ${keepTicks}
  ) AS old ON t.tick_ms <= old.tick_ms WHERE t.name = ${literal(name)}`;
  return [...insert('missed'), ...insert('running'), trim];
}

/** Undefined if the lease is locked. */
export async function endTick(
  calls: MysqlCalls,
  { name, token, tickMs, state }: ticks.EndTickRequest,
): Promise<boolean | undefined> {
  const results = await calls.tryWrite([
    'START TRANSACTION',
    `UPDATE hustings_lease SET stamp = ${literal(newStamp())} WHERE name = ${literal(name)}`,
    `UPDATE hustings_tick SET state = ${literal(state)}, end_ms = GREATEST(start_ms, ${NOW_MS})
  WHERE name = ${literal(name)} AND tick_ms = ${literal(tickMs)} AND token = ${literal(token)} AND state = 'running'`,
    'COMMIT',
  ]);
  return results === null ? undefined : results[2].matched === 1;
}

/** Removes the ticks that are ahead of the clock, and returns them. Undefined as above. */
export async function resetTicks(
  leases: MysqlLeases,
  name: string,
): Promise<readonly ticks.Tick[] | undefined> {
  const look = await leases.look([name], [newest(name, undefined)]);
  const item: ChangeItem<readonly ticks.Tick[]> = {
    name,
    rule: (row) => {
      const ahead = look.more[0].map(storedTick).filter((tick) => ticks.isAhead(tick, look.nowMs));
      const nothing = { row, answer: shownTicks(name, ahead, row, look.nowMs), ended: null };
      if (ahead.length === 0) return nothing;
      const remove = `DELETE FROM hustings_tick WHERE name = ${literal(name)} AND tick_ms > ${literal(look.nowMs + ticks.AHEAD_MS)}`;
      return { ...nothing, more: (isWritten) => [`${remove} AND ${isWritten}`] };
    },
  };
  const [changed] = await leases.change([item], look);
  return changed?.answer;
}

/** The newest first. */
export async function listTicks(
  leases: MysqlLeases,
  name: string,
  limit: number | undefined,
): Promise<readonly ticks.Tick[]> {
  const { leases: found, nowMs, more } = await leases.look([name], [newest(name, limit)]);
  return shownTicks(name, more[0].map(storedTick), found.get(name)?.row, nowMs);
}

function shownTicks(
  name: string,
  stored: readonly ticks.StoredTick[],
  row: LeaseRow | undefined,
  nowMs: number,
): readonly ticks.Tick[] {
  const record = row && recordOf(name, row, nowMs);
  const heldToken = record === undefined || record.holder === null ? null : record.token;
  return stored.map((tick) => withTokenText({ ...ticks.shownTick(tick, heldToken) }));
}
