/** Reports an error in one line, and chooses the exit code. */
import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { HustingsError, InputError } from '../errors/hustings-error.ts';
import { CapacityError, ElectionError } from '../kernel/errors.ts';
import { StoreError } from '../lease/store-error.ts';
import { scrub } from '../lease/store-url.ts';

/** A file, a port or the machine failed: neither the input nor the election is at fault. */
export class EnvironmentError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_ENVIRONMENT', cause });
  }
}

/** A handler of the user's algorithm failed, outside of any run that could be shown. */
export class HandlerError extends HustingsError {
  constructor(message: string) {
    super(message, { code: 'HUSTINGS_HANDLER' });
  }
}

export const ELECTION_FAILED = 1;
export const COUNTEREXAMPLE_FOUND = ELECTION_FAILED;
/** The answer is negative: there is no leader, terms overlap, a store has problems. */
export const ANSWER_IS_NO = ELECTION_FAILED;
const BAD_INPUT = 2;
export const ENVIRONMENT_FAILED = 3;
/** EX_SOFTWARE of sysexits.h. */
const DEFECT = 70;

/** Writes one line, if there is something to report, and returns the exit code. */
export function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    return fail(
      BAD_INPUT,
      `${error.message.replace(/^error: |\.$/g, '')}; 'hustings ${verbOf()}--help' explains`,
    );
  }
  if (error instanceof ElectionError || error instanceof HandlerError)
    return fail(ELECTION_FAILED, error.message);
  if (error instanceof InputError) return fail(BAD_INPUT, error.message);
  if (error instanceof EnvironmentError || error instanceof CapacityError || error instanceof StoreError) {
    return fail(ENVIRONMENT_FAILED, error.message);
  }
  if (
    error instanceof RangeError &&
    /allocation failed|invalid (typed )?array.*length/i.test(error.message)
  ) {
    return fail(ENVIRONMENT_FAILED, 'there is not enough memory for the run; use fewer nodes');
  }
  const { HUSTINGS_STORE: url } = process.env;
  console.error(url ? scrub(inspect(error), url) : error);
  return fail(DEFECT, 'this is a defect of hustings: please report it with the lines above');
}

function verbOf(): string {
  const [verb = '-'] = process.argv.slice(2);
  return verb.startsWith('-') ? '' : `${verb} `;
}

function fail(exitCode: number, message: string): number {
  console.error(`hustings: ${message.replace(/\s*\n\s*/g, ' ')}`);
  return exitCode;
}

/** The readable part of a system error: 'no such file or directory', without code, call and path. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /^[A-Z0-9]+: ([^,]+)/.exec(text)?.[1] ?? text;
}
