/** What must hold of every election, whoever runs it. */
export * from './validity.ts';
