/**
 * The line that an error prints, and the exit code of the process.
 *
 * Guarantees: one line on stderr; with --json also one JSON document with the error, on one line of stdout; a stack trace only
 * for a defect of this program; no secret of the store's URL. Does not guarantee a line for an error that commander has
 * answered itself, such as `--help`.
 */

import { inspect } from 'node:util';
import { type HustingsError, isAnswer } from '../hustings-error.ts';
import { OptionSyntaxError } from '../option-value.ts';
import { errorMessage } from '../text.ts';
import { formatJsonLine } from './json.ts';

export const ELECTION_FAILED = 1;
export const COUNTEREXAMPLE_FOUND = ELECTION_FAILED;
export const NOT_COMPLETE = ELECTION_FAILED;
/** The answer to a question is no: nobody leads, terms overlap, a store has problems. */
export const ANSWER_IS_NO = ELECTION_FAILED;
const BAD_INPUT = 2;
export const ENVIRONMENT_FAILED = 3;
/** EX_SOFTWARE of sysexits.h. */
const DEFECT = 70;

const CODE_OF = { input: BAD_INPUT, environment: ENVIRONMENT_FAILED, election: ELECTION_FAILED } as const;

/** Writes the line of an error, and returns the exit code. `hide` removes secrets from the stack trace of a defect. */
export function report(error: unknown, hide: (text: string) => string = (text) => text): number {
  if (isOutOfMemory(error)) {
    return fail(ENVIRONMENT_FAILED, 'the run needs more memory than there is: take fewer nodes');
  }
  if (!isAnswer(error)) {
    console.error(hide(inspect(error)));
    return fail(DEFECT, 'this is a defect of hustings: please report it with the lines above');
  }
  return fail(CODE_OF[error.exitCategory], lineOf(error), error);
}

function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof RangeError && /allocation failed|invalid (typed )?array.*length/i.test(error.message)
  );
}

function lineOf(error: HustingsError): string {
  if (error instanceof OptionSyntaxError) return withRemedies(`--${error.message}`, error);
  if ('replay' in error) return `${error.message}; replay: ${error.replay}`;
  return withRemedies(error.message, error);
}

/** The remedies of a library error as flags. */
function withRemedies(message: string, { remedies = [] }: HustingsError): string {
  const advice = remedies.map(({ option, value }) => {
    if (option === 'despite') return `run it anyway with --despite ${value}`;
    const flag = option.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
    return value === 'true' ? `or use --${flag}` : `use --${flag} ${value}`;
  });
  return advice.length === 0 ? message : `${message}; ${advice.join(', or ')}`;
}

/** The code of an error that has none of its own, by exit code. */
const CODES: Readonly<Record<number, string>> = {
  [BAD_INPUT]: 'HUSTINGS_INPUT',
  [ENVIRONMENT_FAILED]: 'HUSTINGS_ENVIRONMENT',
  [DEFECT]: 'HUSTINGS_DEFECT',
};

/** Writes one line, or its JSON, and returns the exit code. */
export function fail(exitCode: number, line: string, error?: HustingsError): number {
  const text = line.replace(/\s*\n\s*/g, ' ');
  if (wantsJson()) {
    const { property, replay, remedies } = (error ?? {}) as Partial<Record<string, unknown>>;
    const details = { property, replay, remedies };
    const code = error?.code ?? CODES[exitCode];
    const json = formatJsonLine({
      version: 1,
      error: { code, exitCode, message: error?.message ?? text, ...details },
    });
    if (SUPERVISING.includes(process.argv[2])) {
      console.error(json);
      return exitCode;
    }
    console.log(json);
  }
  console.error(`hustings: ${text}`);
  return exitCode;
}

/** Commands whose stdout belongs to the command that they run: their JSON goes to stderr. */
const SUPERVISING = ['lead', 'cron'];

/** Read from the arguments, because an error may come before they are parsed. */
function wantsJson(): boolean {
  const args = process.argv.slice(2);
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end).includes('--json');
}

/** The readable part of a system error: 'no such file or directory', without code, call and path. */
export function reasonOf(error: unknown): string {
  const text = errorMessage(error);
  return /^[A-Z0-9]+: ([^,]+)/.exec(text)?.[1] ?? text;
}
