/** The terms of an election. The running one is in its lease. */
import type { HistoryQuery, Term } from '../../lease-store.ts';
import { selectTerms, shownTerm } from '../term-keeping.ts';
import type { MysqlLeases } from './mysql-leases.ts';
import { runningTerm, storedTerm, TERM_COLUMNS } from './mysql-row.ts';
import { literal } from './mysql-sql.ts';

export async function readHistory(
  leases: MysqlLeases,
  name: string,
  query: HistoryQuery = {},
): Promise<readonly Term[]> {
  const { atMs, limit } = query;
  const at = atMs === undefined ? '' : `AND start_ms <= ${literal(atMs)} AND end_ms > ${literal(atMs)}`;
  const statement = `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ${literal(name)} ${at}
  ORDER BY token DESC, start_ms DESC ${limit === undefined ? '' : `LIMIT ${literal(limit)}`}`;
  const { leases: found, nowMs, more } = await leases.look([name], [statement]);
  const stored = found.get(name);
  const running = stored && runningTerm(name, stored);
  const ended = more[0].map(storedTerm);
  // The running term may have ended after the lease was read.
  const isListed = ended.some(
    ({ token, startMs }) => token === running?.token && startMs === running.startMs,
  );
  if (stored === undefined || running === undefined || isListed) return selectTerms(ended, query);
  const shown = shownTerm(running, stored.row, { monoMs: nowMs, wallMs: nowMs });
  return selectTerms([shown, ...ended], query);
}
