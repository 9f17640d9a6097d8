/** `hustings worker`: computes the jobs of sweeps and reproductions of other machines. */
import { availableParallelism, hostname } from 'node:os';
import type { Command } from 'commander';
import { readCores } from '../flags/cores-flag.ts';
import { addOptions, type FlagsOf } from '../flags/option-table.ts';
import { QUEUE_HELP, queueUrlOf } from '../flags/queue-flag.ts';
import { Coordinator } from '../queue/coordinator.ts';
import { NoticeLog, noticesForWorker } from '../queue/notices.ts';
import { Presence } from '../queue/presence.ts';
import { QueueConnection } from '../queue/queue-connection.ts';
import { QueueWorker } from '../queue/queue-worker.ts';
import { stoppable } from '../stop-signal.ts';
import { printable } from '../table.ts';

const OPTIONS = {
  '--queue <URL>': QUEUE_HELP,
  '--cores <K>': 'number of threads (default: all cores)',
  '--allow-files':
    'run algorithm files of the users of the queue: code, with all permissions of this process',
} as const;

export function addWorker(program: Command): void {
  const command = program
    .command('worker')
    .summary('compute sweeps of other machines')
    .description(
      'Computes the work that hustings sweep --queue and hustings reproduce --queue hand out, on all cores, until Ctrl-C.\n' +
        'Start one on each machine, with the same version of hustings. A worker that is killed costs the time of its\n' +
        'jobs; another worker computes them again.',
    );
  addOptions(command, OPTIONS)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  hustings worker --queue redis://cache.internal\n' +
        '  hustings worker --queue redis://cache.internal/3 --cores 4\n' +
        '  HUSTINGS_QUEUE=redis://:PASSWORD@cache.internal hustings worker --allow-files\n\n' +
        'Exit codes: 0 stopped by Ctrl-C or SIGTERM; 2 bad input; 3 the queue cannot be reached.',
    )
    .action(workerCommand);
}

async function workerCommand(flags: FlagsOf<typeof OPTIONS>): Promise<void> {
  const url = queueUrlOf(flags.queue ?? true);
  const cores = readCores(flags.cores) ?? availableParallelism();
  const allowFiles = flags.allowFiles === true;
  const connection = await QueueConnection.open(url);
  const notices = new NoticeLog();
  connection.onTrouble = (error) => notices.trouble(error);
  const id = `${hostname()}-${process.pid}`;
  const { build } = connection;
  const presence = new Presence(connection, { type: 'worker', id, files: allowFiles, cores }, (all) => {
    for (const line of noticesForWorker({ build, allowFiles }, all)) notices.print(line);
  });
  const worker = new QueueWorker(connection, {
    cores,
    allowFiles,
    onBatch: (name, text) => console.log(printable(`${name}: ${text}`)),
  });
  const ending = new AbortController();
  presence.start();
  console.log(
    `worker ${id}: ${build.text}, ${cores === 1 ? '1 core' : `${cores} cores`}, queue ${connection.label}`,
  );
  try {
    const coordination = new Coordinator(connection, () => presence.cores()).campaign(ending.signal);
    const work = Promise.all([coordination, worker.watch(ending.signal)]).then(() => {});
    await stoppable(work, () => ending.abort());
  } finally {
    ending.abort();
    await worker.stop();
    await presence.stop();
    await connection.close();
  }
}
