/** The values of options as text: on the command line, and in links. */
import { InputError } from './hustings-error.ts';

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

/** Accepts '1e6', but not '', 'NaN', '0x10' or '5 nodes'. */
export function parseNumber(option: string, text: string, expected = 'a number, as in 16'): number {
  return isNumberText(text) ? Number(text) : refuse(option, expected, text);
}

export function parseChoice<W extends string>(option: string, names: readonly W[], text: string): W {
  const choice = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return names.find((name) => name === text) ?? refuse(option, choice, text);
}
