/** `hustings maelstrom`: one node of Jepsen's Maelstrom on stdin and stdout. */
import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EnvironmentError, InputError, mapDefined } from '@hustings/base';
import { parseDuration } from '@hustings/base/command/duration';
import { reasonOf } from '@hustings/base/command/exit';
import { stoppable } from '@hustings/base/command/stop-signal';
import { NAME_HELP, resolveAlgorithm } from '@hustings/study/internal/cli/flags/algorithm-name';
import { parseSettings } from '@hustings/study/internal/simulator/plan/option-syntax';
import type { Command } from 'commander';
import { collect } from 'hustings/internal/cli/flags/metadata-flag';
import { PROCESS_CLOCK } from '../../host/process-clock.ts';
import { StateFile } from '../../host/state-file.ts';
import { MaelstromNode } from '../../maelstrom/maelstrom-node.ts';
import type { MemberStore } from '../../runtime/durable-outbox.ts';

interface MaelstromFlags {
  readonly algorithm?: string;
  readonly set?: readonly string[];
  readonly heartbeat: string;
  readonly unit?: string;
  readonly dir?: string;
}

const HELP = `
Maelstrom starts one process for each node and carries the messages between them.
The messages may be lost, delayed, duplicated and reordered. A client may send:
  {"type":"leader"}        answered by {"type":"leader_ok","leader":"n1","term":3}:
                           the leader that this node follows and its term, or null.
                           A node that is cut off follows nobody, or answers with
                           an older term
  {"type":"echo",...}      answered by {"type":"echo_ok",...}, so that Maelstrom's
                           workload echo runs
Other requests are answered by Maelstrom's error 10. The log is on stderr.
Without --dir the durable state is in memory, and is lost when the process ends.

Exit codes: 0 stdin has ended; 2 bad input; 3 the folder or the disk failed.

Example:
  hustings maelstrom --algorithm raft`;

export function addMaelstrom(program: Command): void {
  program
    .command('maelstrom')
    .description("Runs one node of Jepsen's Maelstrom on stdin and stdout.")
    .option('--algorithm <NAME>', `${NAME_HELP} (required)`)
    .option('--set <NAME=VALUE>', 'parameter of the algorithm; may be repeated', collect)
    .option('--heartbeat <DURATION>', 'longest silence between two living nodes', '100ms')
    .option('--unit <DURATION>', 'one unit of the timers of the algorithm (default: from the heartbeat)')
    .option('--dir <STATE>', 'folder for the durable state of the nodes')
    .addHelpText('after', HELP)
    .action(maelstromCommand);
}

async function maelstromCommand(flags: MaelstromFlags): Promise<void> {
  if (flags.algorithm === undefined) throw new InputError('--algorithm is required');
  const algorithm = await resolveAlgorithm(flags.algorithm);
  const heartbeatMs = duration('heartbeat', flags.heartbeat);
  const unitMs = mapDefined(flags.unit, (text) => duration('unit', text));
  const { dir } = flags;
  if (dir !== undefined) makeFolder(dir);
  let failure = null as Error | null;
  let file = null as StateFile | null;
  const lines = createInterface({ input: process.stdin });
  const ended = new Promise<void>((resolve) => lines.once('close', resolve));
  const node = new MaelstromNode({
    algorithm,
    set: mapDefined(flags.set, parseSettings),
    heartbeatMs,
    unitMs,
    clock: PROCESS_CLOCK,
    draw: (sides) => randomInt(1, sides + 1),
    incarnation: randomInt(2 ** 47),
    store(name) {
      if (dir === undefined) return IN_MEMORY;
      file = new StateFile(join(dir, `state-${encodeURIComponent(name)}`), {
        cluster: `Maelstrom, ${name}`,
        id: 0,
      });
      return file;
    },
    write: (line) => void process.stdout.write(`${line}\n`),
    log: (text) => console.error(`hustings: ${text}`),
    onStopped(error) {
      failure = error;
      lines.close();
    },
  });
  lines.on('line', (line) => node.receive(line));
  await stoppable(
    () => ended,
    () => lines.close(),
  );
  await node.close();
  await file?.close();
  if (failure !== null) throw new EnvironmentError(failure.message, failure);
}

/** Maelstrom does not start a node again. */
const IN_MEMORY: MemberStore = { load: async () => null, save: async () => {} };

function duration(option: string, text: string): number {
  const ms = parseDuration(option, text);
  if (ms === 0) throw new InputError(`--${option} must be longer than 0, not '${text}'`);
  return ms;
}

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new EnvironmentError(
      `the folder ${dir} cannot be used: ${reasonOf(error)}; use another one`,
      error,
    );
  }
}
