/** `hustings worker`: computes the jobs of sweeps and reproductions of other machines. */
import { availableParallelism, hostname } from 'node:os';
import { printable } from '@hustings/base';
import { readCores } from '@hustings/base/command/cores-flag';
import { formatJsonLine } from '@hustings/base/command/json';
import { addOptions, type FlagsOf } from '@hustings/base/command/option-table';
import { stoppable } from '@hustings/base/command/stop-signal';
import { QUEUE_HELP } from '@hustings/study/internal/cli/flags/queue-flag';
import type { Command } from 'commander';
import { Coordinator } from '../../coordinator.ts';
import { Presence } from '../../presence.ts';
import type { QueueConnection } from '../../queue-connection.ts';
import { eventsForWorker, type QueueEvent, QueueEvents } from '../../queue-event.ts';
import { QueueWorker } from '../../queue-worker.ts';
import { withQueue } from '../opened-queue.ts';
import { queueEventText } from '../queue-event.ts';
import { queueUrlOf } from '../queue-url.ts';
import { ThreadPool } from '../thread-pool.ts';

const OPTIONS = {
  '--queue <URL>': QUEUE_HELP,
  '--cores <K>': 'number of threads (default: all cores)',
  '--allow-files':
    'run algorithm files of the users of the queue: code, with all permissions of this process',
  '--json': 'print events as lines of JSON',
} as const;

export function addWorker(program: Command): void {
  const command = program
    .command('worker')
    .description(
      'Computes the work that hustings sweep --queue and hustings reproduce --queue hand out, on all cores, until Ctrl-C.\n' +
        'Start one on each machine, with the same version of hustings. A worker that is killed costs the time of its\n' +
        "jobs; another worker computes them again. 'hustings queue list' shows the work in the queue.",
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
  await withQueue(url, (connection) => {
    const print = flags.json ? printJson : textPrinter(url, connection);
    return work(connection, { cores, allowFiles }, new QueueEvents(print));
  });
}

/** Serves the queue until a signal. */
async function work(
  connection: QueueConnection,
  { cores, allowFiles }: { readonly cores: number; readonly allowFiles: boolean },
  events: QueueEvents,
): Promise<void> {
  connection.onTrouble = ({ message }) => events.emit({ type: 'store-error', message });
  const id = `${hostname()}-${process.pid}`;
  const { build } = connection;
  const self = { type: 'worker', id, files: allowFiles, cores, batch: null } as const;
  const presence = new Presence(connection, self, (all) => {
    for (const event of eventsForWorker(build.hash, allowFiles, all)) events.emit(event);
  });
  const worker = new QueueWorker(connection, {
    cores,
    allowFiles,
    computer: new ThreadPool(cores, { allowFiles }),
    onBatch: (batch, text) => events.emit({ type: 'work', id: batch, work: text }),
  });
  const ending = new AbortController();
  presence.start();
  try {
    const work = async (): Promise<void> => {
      events.emit({ type: 'started', worker: id, build: build.text, cores, queue: connection.label });
      const coordination = new Coordinator(connection, () => presence.cores()).campaign(ending.signal);
      await Promise.all([coordination, worker.watch(ending.signal)]);
    };
    await stoppable(work, () => ending.abort());
  } finally {
    ending.abort();
    await worker.stop();
    await presence.stop();
  }
  events.emit({ type: 'stopped' });
}

function printJson(event: QueueEvent): void {
  console.log(formatJsonLine({ at: new Date().toISOString(), ...event }));
}

/** Its own steps on stdout, what is wrong on stderr. Names in it come from other machines. */
function textPrinter(url: string, { build }: QueueConnection): (event: QueueEvent) => void {
  return (event) => {
    const text = printable(queueEventText(event, url, build.text));
    if (['started', 'work', 'stopped'].includes(event.type)) console.log(text);
    else console.error(`hustings: ${text}`);
  };
}
