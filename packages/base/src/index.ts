/** What all packages share and what runs anywhere: errors, texts, tables, values of options. */
export * from './cells.ts';
export * from './hustings-error.ts';
export * from './json-value.ts';
export * from './option-value.ts';
export * from './paint.ts';
export * from './similar-name.ts';
export * from './text.ts';
