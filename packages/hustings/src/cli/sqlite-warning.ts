/**
 * Node 22 warns on stderr that its SQLite is experimental. A user of the command cannot act on that, and the store is tested on
 * each version of Node. The library leaves the warning to the program that it is part of.
 */
export function hideSqliteWarning(): void {
  const emit = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]): void => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite is')) return;
    Reflect.apply(emit, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
}
