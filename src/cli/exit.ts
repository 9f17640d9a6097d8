/**
 * The line that an error prints, and the exit code of the process.
 *
 * Guarantees: one line on stderr; with --json also one JSON document with the error, on one line of stdout; a stack trace only
 * for a defect of this program; no secret of the store's URL. Does not guarantee a line for an error that commander has
 * answered itself, such as `--help`.
 */
import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { HustingsError, InputError } from '../errors/hustings-error.ts';
import { ListenError } from '../http/listen.ts';
import { CapacityError, ElectionError } from '../kernel/errors.ts';
import { LabError } from '../lab/server/lab-error.ts';
import { StoreError } from '../lease/core/store-error.ts';
import { scrub } from '../lease/store-url.ts';
import { redact } from '../lease/stores/registry.ts';
import { QueueError } from '../queue/queue-error.ts';
import { OptionSyntaxError } from '../simulator/plan/option-syntax.ts';
import { formatJsonLine } from './json.ts';

/** A file, a port or the machine failed; the input and the election are not the cause. */
export class EnvironmentError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_ENVIRONMENT', cause });
  }
}

/** A handler of the user's own algorithm failed outside a run that could be replayed. */
export class HandlerError extends HustingsError {
  constructor(message: string) {
    super(message, { code: 'HUSTINGS_HANDLER' });
  }
}

export const ELECTION_FAILED = 1;
export const COUNTEREXAMPLE_FOUND = ELECTION_FAILED;
export const NOT_COMPLETE = ELECTION_FAILED;
/** The answer to a question is no: nobody leads, terms overlap, a store has problems. */
export const ANSWER_IS_NO = ELECTION_FAILED;
const BAD_INPUT = 2;
export const ENVIRONMENT_FAILED = 3;
/** Errors that are failures of the environment. */
const FAILURES = [EnvironmentError, CapacityError, StoreError, QueueError, LabError, ListenError];
/** EX_SOFTWARE of sysexits.h. */
const DEFECT = 70;

/** Writes the line of an error, and returns the exit code. */
export function report(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof ElectionError)
    return fail(ELECTION_FAILED, `${error.message}; replay: ${error.replay}`, error);
  if (error instanceof HandlerError) return fail(ELECTION_FAILED, error.message, error);
  if (error instanceof OptionSyntaxError) return report(new InputError(`--${error.message}`));
  if (error instanceof InputError) return fail(BAD_INPUT, withRemedies(error), error);
  if (error instanceof HustingsError && FAILURES.some((failure) => error instanceof failure)) {
    return fail(ENVIRONMENT_FAILED, error.message, error);
  }
  if (
    error instanceof RangeError &&
    /allocation failed|invalid (typed )?array.*length/i.test(error.message)
  ) {
    return fail(ENVIRONMENT_FAILED, 'the run needs more memory than there is: take fewer nodes');
  }
  console.error(withoutSecrets(inspect(error)));
  return fail(DEFECT, 'this is a defect of hustings: please report it with the lines above');
}

function withoutSecrets(text: string): string {
  const { HUSTINGS_STORE, HUSTINGS_QUEUE } = process.env;
  const urls = [HUSTINGS_STORE, HUSTINGS_QUEUE].filter((url) => url !== undefined && url !== '') as string[];
  return urls.reduce((rest, url) => scrub(rest, url, redact(url)), text);
}

/** The remedies of a library error as flags. */
function withRemedies({ message, remedies = [] }: InputError): string {
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
    const { property, replay } =
      error instanceof ElectionError ? error : { property: undefined, replay: undefined };
    const details = { property, replay, remedies: error?.remedies };
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
  const text = error instanceof Error ? error.message : String(error);
  return /^[A-Z0-9]+: ([^,]+)/.exec(text)?.[1] ?? text;
}
