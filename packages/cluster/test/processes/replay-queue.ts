/** Runs `hustings replay` for tests that run at the same time, in one process beside them: a replay would stop their network. */
import { commandProcess, type Ended } from '../../../../test-kit/command.ts';

export function replayQueue(): (args: readonly string[]) => Promise<Ended> {
  const run = commandProcess();
  let last: Promise<unknown> = Promise.resolve();
  return (args) => {
    const ended = last.then(() => run(args));
    last = ended.catch(() => undefined);
    return ended;
  };
}
