#!/usr/bin/env node
/**
 * The `hustings` command.
 *
 * Exit codes: 0 done; 1 the election failed, or a counterexample was found; 2 bad input; 3 the surroundings (a file,
 * the memory); 70 a defect of
 * this program, the only case with a stack trace. Errors are one line on stderr, and bad input leaves nothing half-done.
 */
import { reasonOf, report, SurroundingsError } from './failure.ts';
import { runProgram } from './program.ts';

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    const text = `expected to write the output, but ${reasonOf(error)}: send it elsewhere`;
    process.exitCode = report(new SurroundingsError(text, error));
  }
  process.exit();
});

try {
  await runProgram(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
