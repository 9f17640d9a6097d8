#!/usr/bin/env node
/**
 * The `hustings` command.
 *
 * It exits with 0 when all is well, 1 for an election that failed or a counterexample, 2 for bad input, 3 when a file, a store
 * or the memory is the trouble, and 70 for a defect of this program, the only case with a stack trace. Errors are one line
 * on stderr, and bad input leaves nothing half-done.
 */
import { EnvironmentError, reasonOf, report } from './exit.ts';
import { runProgram } from './program.ts';

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    const text = `expected to write the output, but ${reasonOf(error)}: send it elsewhere`;
    process.exitCode = report(new EnvironmentError(text, error));
  }
  process.exit();
});

// Where nobody reads what goes wrong, the result and the exit code still count.
process.stderr.on('error', () => {});

try {
  await runProgram(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
