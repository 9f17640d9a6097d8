/** The values of options: as text, on the command line and in links, and as a program gives them. */
import { InputError } from './hustings-error.ts';
import { isWhole } from './json-value.ts';
import { listed, shownValue } from './text.ts';

/** The text of an option cannot be read. The message begins with the name of the option. */
export class OptionSyntaxError extends InputError {
  readonly option: string;

  constructor(option: string, problem: string) {
    super(`${option} must ${problem}`);
    this.option = option;
  }
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Whether a text is a number: '1e6', but not '', 'NaN', '0x10' or '5 nodes'. */
export function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

export function refuse(option: string, expected: string, got: string): never {
  throw new OptionSyntaxError(option, `be ${expected}, not '${got}'`);
}

/** Reads a value if it was given. */
export function mapDefined<W, V>(flag: W | undefined, read: (flag: W) => V): V | undefined {
  return flag === undefined ? undefined : read(flag);
}

export function parseNumber(option: string, text: string, expected = 'a number, as in 16'): number {
  return isNumberText(text) ? Number(text) : refuse(option, expected, text);
}

export function parseChoice<W extends string>(option: string, names: readonly W[], text: string): W {
  return names.find((name) => name === text) ?? refuse(option, listed(names, 'or'), text);
}

/** `why` explains the largest number. */
export function checkWhole(
  option: string,
  value: unknown,
  from = 1,
  to = Number.MAX_SAFE_INTEGER,
  why = '',
): asserts value is number {
  if (isWhole(value, from, to)) return;
  const range = to === Number.MAX_SAFE_INTEGER ? `from ${from}` : `from ${from} to ${to}${why}`;
  throw new InputError(`${option} must be a whole number ${range}, not ${shownValue(value)}`);
}
