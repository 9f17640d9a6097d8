/** Values in the URL of a store. No error quotes what may be a secret. */
import { InputError } from '@hustings/base';

/** The user, password or path of a URL without its percent-encoding. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InputError('the user, password or path of the URL of a store has a bare %; write it as %25');
  }
}

/** A whole number, from the query of a URL or from an option. */
export function wholeSetting(word: string, value: string | number, least: number): number {
  const number = typeof value === 'string' && !/^\d+$/.test(value) ? Number.NaN : Number(value);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new InputError(`${word} must be a whole number from ${least}, not ${value}`);
}

/** `true` or `false`, from the query of a URL. */
export function flagSetting(word: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InputError(`${word} must be true or false, not ${text}`);
}

/** `store` names the kind of URL, as in 'a Redis'. */
export function checkQuery(query: URLSearchParams, store: string, words: readonly string[]): void {
  if ([...query.keys()].every((key) => words.includes(key))) return;
  throw new InputError(
    `the query of ${store} URL can only have ${words.join(', ')}; remove the other setting`,
  );
}
