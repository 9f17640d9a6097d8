/** Values, figures and lists as they stand in a line of text. */

/** A value as a message shows it: a text in quotes, so that '3' is not taken for 3. */
export const shownValue = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : `${value}`);

/** What a peer has caused, for one line of a log. */
export function oneLine(text: string): string {
  const line = text.replace(/\p{Cc}/gu, '?');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** The message of what was thrown, also if it is no error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function firstLine(error: unknown): string {
  return errorMessage(error).split('\n')[0];
}

/** 'a', 'a and b', 'a, b and c'. */
export function listed(texts: readonly string[], conjunction = 'and'): string {
  return texts.length < 2
    ? texts.join('')
    : `${texts.slice(0, -1).join(', ')} ${conjunction} ${texts.at(-1)}`;
}

/** '1 node', '2 nodes'. */
export function counted(count: number | string, one: string, many = `${one}s`): string {
  return `${count} ${String(count) === '1' ? one : many}`;
}

/** The text with a capital as its first letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** At most three decimals; groups of thousands from 10,000 on. */
export function formatFigure(figure: number): string {
  const rounded = Math.round(figure * 1000) / 1000;
  const [whole, decimals] = String(rounded).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
