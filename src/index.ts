/** Leader election, from the textbook to production. The sub-paths hold the rest. */
export * from './elector/index.ts';
export * from './kernel/index.ts';
export * from './simulator/index.ts';
export * from './sweep/index.ts';
