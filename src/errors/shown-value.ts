/** A value as a message shows it: a text in quotes, so that '3' is not taken for 3. */
export const shownValue = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : `${value}`);
