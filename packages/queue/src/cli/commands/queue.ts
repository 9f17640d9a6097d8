/** `hustings queue`: lists the work in a queue, and cancels it. */

import { formatTable, InputError, markStyle, printable, suggestion } from '@hustings/base';
import { formatDuration } from '@hustings/base/command/duration';
import { ANSWER_IS_NO } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { screenOf } from '@hustings/base/command/terminal';
import { QUEUE_HELP } from '@hustings/study/internal/cli/flags/queue-flag';
import type { Command } from 'commander';
import { participants } from '../../presence.ts';
import { cancelWork, type ListedWork, listWork } from '../../work-list.ts';
import { withQueue } from '../opened-queue.ts';
import { queueUrlOf } from '../queue-url.ts';

const ACTIONS = ['list', 'cancel'];

interface QueueFlags {
  readonly queue?: string;
  readonly json?: true;
}

export function addQueue(program: Command): void {
  const queue = program
    .command('queue')
    .description('Lists or cancels the sweeps and reproductions in a queue.')
    .argument('[VERB]')
    .allowExcessArguments()
    .usage('list|cancel [options]')
    .addHelpText('after', '\nExample:\n  hustings queue list --queue redis://cache.internal')
    .action((verb: string | undefined) => {
      throw new InputError(
        verb === undefined
          ? "queue needs an action; write 'hustings queue list' or 'hustings queue cancel ID'"
          : `'${verb}' is not an action of queue: it has ${ACTIONS.join(' and ')}${suggestion(verb, ACTIONS)}`,
      );
    });
  queue
    .command('list')
    .summary('list the work in a queue')
    .description(
      'Lists the sweeps and reproductions that are not done, oldest first, with the number of commands that wait for each, and ' +
        'the workers. Work without a command was abandoned: it goes on, and the same command finds its result. Only work of ' +
        'this version of hustings is listed.\n' +
        'Exit codes: 0 done, also if the queue is empty; 2 bad input; 3 the queue cannot be reached.',
    )
    .option('--queue <URL>', QUEUE_HELP)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  hustings queue list --queue redis://cache.internal')
    .action(listCommand);
  queue
    .command('cancel')
    .summary('cancel work in a queue')
    .description(
      'Cancels a sweep or a reproduction, and removes its jobs. A command that waits for it ends with exit code 3.\n' +
        'Exit codes: 0 done; 1 the queue has no such work; 2 bad input; 3 the queue cannot be reached.',
    )
    .argument('<ID>', "id of the work, from 'hustings queue list'")
    .option('--queue <URL>', QUEUE_HELP)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  hustings queue cancel 5f1c9a0d7b3e2468-9c0ffee1 --queue redis://cache.internal',
    )
    .action(cancelCommand);
}

async function listCommand(flags: QueueFlags): Promise<void> {
  await withQueue(queueUrlOf(flags.queue ?? true), async (connection) => {
    const works = await listWork(connection);
    const present = await participants(connection);
    const workers = present.filter(({ type, build }) => type === 'worker' && build === connection.build.hash);
    const cores = workers.reduce((sum, worker) => sum + worker.cores, 0);
    if (flags.json) {
      console.log(
        formatJson({
          queue: connection.label,
          workers: workers.length,
          cores,
          works,
        }),
      );
      return;
    }
    const lines = works.length === 0 ? ['the queue is empty'] : workTable(works);
    const count = workers.length === 1 ? '1 worker' : `${workers.length || 'no'} workers`;
    const total = workers.length === 0 ? '' : `, ${cores === 1 ? '1 core' : `${cores} cores`}`;
    console.log([...lines, `${count} of this version${total}`].join('\n'));
  });
}

function workTable(works: readonly ListedWork[]): string[] {
  const { width, paint } = screenOf(process.stdout);
  const rows = works.map(({ id, work, jobs, done, ageMs, commands }) => [
    id,
    printable(work),
    `${done} of ${jobs}`,
    formatDuration(ageMs),
    commands === 0 ? 'none' : `${commands}`,
  ]);
  const columns = ['id', 'work', ['jobs done'], ['age'], ['commands']] as const;
  return formatTable(columns, rows, width, markStyle(paint));
}

async function cancelCommand(id: string, flags: QueueFlags): Promise<void> {
  await withQueue(queueUrlOf(flags.queue ?? true), async (connection) => {
    const work = await cancelWork(connection, id);
    if (work === null) process.exitCode = ANSWER_IS_NO;
    if (flags.json) console.log(formatJson({ id, cancelled: work !== null }));
    else if (work !== null) console.log(`✓ cancelled ${id}: ${printable(work)}`);
    else console.log(`the queue has no work ${printable(id)}; 'hustings queue list' lists what it has`);
  });
}
