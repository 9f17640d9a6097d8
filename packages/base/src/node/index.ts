/** What the packages share and what needs Node: writes that are on disk when they return, processes that end with their parent. */
export * from './build-identity.ts';
export * from './durable-file.ts';
export * from './hangup.ts';
export * from './kept-processes.ts';
export * from './process-table.ts';
export * from './running-process.ts';
