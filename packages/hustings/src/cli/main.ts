#!/usr/bin/env node
import { EnvironmentError, isAnswer } from '@hustings/base';
/**
 * The `hustings` command.
 *
 * Exit codes: 0 success, 1 a failed election or a counterexample, 2 bad input, 3 a file or a store failed or memory ran out, 70 a
 * defect of this program, which is the only case with a stack trace. Errors are one line on stderr. Bad input is found before
 * anything is done.
 */
import { reasonOf, report } from '@hustings/base/command/exit';
import { runProgram } from './program.ts';
import { hideSqliteWarning } from './sqlite-warning.ts';

// A reader that stops early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    const text = `cannot write the output: ${reasonOf(error)}; redirect it elsewhere`;
    process.exitCode = report(new EnvironmentError(text, error));
  }
  process.exit();
});

hideSqliteWarning();

// If stderr is closed, the result and the exit code still count.
process.stderr.on('error', () => {});

try {
  await runProgram(process.argv.slice(2));
} catch (error) {
  // Only the stack trace of a defect may show the URL of a store.
  const hide = isAnswer(error) ? undefined : (await import('./secrets.ts')).withoutSecrets;
  process.exitCode = report(error, hide);
}
