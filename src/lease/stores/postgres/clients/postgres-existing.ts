/** The existing clients whose server a store can use. Their types need no client library. */

/** A `Pool` of `pg`. */
export interface PgPoolSource {
  readonly options: object;
  readonly totalCount: number;
}

/** A `Client` of `pg`. */
export interface PgClientSource {
  readonly host: string;
  readonly port: number;
  query(...args: never[]): unknown;
}

/** The result of `postgres()` of the library `postgres`. */
export interface PostgresJsSource {
  readonly options: object;
  unsafe(...args: never[]): unknown;
  listen(...args: never[]): unknown;
}

/** An existing client whose server a store can use. */
export type PostgresSource = PgPoolSource | PgClientSource | PostgresJsSource;
