/** Values, figures and lists as they stand in a line of text. */

/** A value as a message shows it: a text in quotes, so that '3' is not taken for 3. */
export const shownValue = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : `${value}`);

/** What a peer has caused, for one line of a log. */
export function oneLine(text: string): string {
  const line = text.replace(/\p{Cc}/gu, '?');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** The message of an error, or whatever else was thrown as text. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The first line of an error's message. */
export const firstLine = (error: unknown): string => errorText(error).split('\n')[0];

/** 'a, b or c'. */
export const listed = (choices: readonly string[]): string =>
  choices.length === 1 ? choices[0] : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

/** At most three decimals; groups of thousands from 10,000 on. */
export function formatFigure(figure: number): string {
  const rounded = Math.round(figure * 1000) / 1000;
  const [whole, decimals] = String(rounded).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
