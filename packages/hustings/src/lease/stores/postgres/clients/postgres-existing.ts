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
  /** Runs a statement. */
  query(...args: never[]): unknown;
}

/** The result of `postgres()` of the library `postgres`. */
export interface PostgresJsSource {
  readonly options: object;
  /** Runs a statement that is given as text. */
  unsafe(...args: never[]): unknown;
  /** Subscribes to a channel of notifications. */
  listen(...args: never[]): unknown;
}

/** An existing client whose server a store can use. */
export type PostgresSource = PgPoolSource | PgClientSource | PostgresJsSource;
