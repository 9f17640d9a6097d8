/**
 * Literals and the clock, for the statements of the store. Every text is written as hexadecimal digits, so that no name can
 * end a literal, whatever sql_mode the session has.
 *
 * SYSDATE(6) is the time at which it is evaluated. NOW(6) is the time at which the statement began, perhaps before it waited
 * for a lock. UNIX_TIMESTAMP makes the result independent of the time zone, if the zone has no summer time: the store sets UTC.
 */

const CLOCK = 'UNIX_TIMESTAMP(SYSDATE(6))';
export const NOW_MS = `FLOOR(${CLOCK} * 1000)`;
export const NOW_US = `CAST(${CLOCK} * 1000000 AS SIGNED)`;

export type Value = string | number | bigint | boolean | null;

export function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `X'${Buffer.from(value).toString('hex')}'`;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'bigint') return `${value}`;
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no literal`);
  return Number.isSafeInteger(value) ? `${value}` : value.toExponential();
}

export const listOf = (values: readonly Value[]): string => values.map(literal).join(', ');

/** A table of rows with the values of these columns, in parentheses. */
export function rowsOf(columns: readonly string[], rows: readonly (readonly Value[])[]): string {
  const selects = rows.map((row, index) =>
    index === 0
      ? `SELECT ${row.map((value, place) => `${literal(value)} AS ${columns[place]}`).join(', ')}`
      : `SELECT ${listOf(row)}`,
  );
  return `(${selects.join(' UNION ALL ')})`;
}
