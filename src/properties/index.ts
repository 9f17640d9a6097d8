/** What must hold of every election, whoever runs it. */
export { Invariants } from './invariants.ts';
export * from './validity.ts';
