/** Prepared statements. */
import type { SqliteDatabase, SqliteStatement } from '../sqlite-library.ts';

export type Statements<Texts> = Readonly<Record<keyof Texts, SqliteStatement>>;

export function prepareAll<Texts extends Readonly<Record<string, string>>>(
  database: SqliteDatabase,
  texts: Texts,
): Statements<Texts> {
  const prepared = Object.entries(texts).map(([key, text]) => {
    const statement = database.prepare(text);
    // A token may exceed the range of a number.
    statement.setReadBigInts(true);
    return [key, statement];
  });
  return Object.fromEntries(prepared);
}

/** A placeholder for each of the columns. */
export const places = (columns: string): string => columns.replace(/\w+/g, '?');

/** For an upsert: a row keeps the columns that this version does not know. */
export const excluded = (columns: string): string => columns.replace(/\w+/g, '$& = excluded.$&');
