/** The events of a queue, one line each: as text, or as JSON. */
import type { Participant } from '../presence.ts';
import type { QueuedWork, QueueEvent } from '../queue-event.ts';

/** `url` is that of the command, with which other commands find the same queue. */
export function queueEventText(event: QueueEvent, url: string, build: string): string {
  // A password is never written.
  const option = url === process.env.HUSTINGS_QUEUE ? '' : ` --queue ${url}`;
  switch (event.type) {
    case 'started':
      return (
        `worker ${event.worker}: ${event.build}, ${event.cores === 1 ? '1 core' : `${event.cores} cores`}, ` +
        `queue ${event.queue}`
      );
    case 'work':
      return `${event.id}: ${event.work}`;
    case 'stopped':
      return 'stopped';
    case 'found':
      return 'the queue has this work already; this command waits for its result';
    case 'left':
      return 'the work stays in the queue; the same command finds its results for 24 hours';
    case 'behind':
      return (
        `waiting behind ${event.id}: ${event.work}, ${event.done} of ${event.jobs} jobs done, ` +
        `${waitingCommands(event)}; to cancel it: hustings queue cancel ${event.id}${option}`
      );
    case 'other-build':
      return `${otherBuild(event.participant)}, and this is ${build}; install the same version on both`;
    case 'no-worker':
      return event.files
        ? `no connected worker accepts your files; start one: hustings worker${option} --allow-files`
        : `no worker of this version is connected; start one: hustings worker${option}`;
    case 'files-refused':
      return `command ${event.command} contains code of its user; this worker runs none without --allow-files`;
    case 'store-error':
      return `${event.message}; trying again`;
  }
}

function waitingCommands({ commands }: QueuedWork): string {
  if (commands === 0) return 'no command waits for it';
  return commands === 1 ? '1 command waits for it' : `${commands} commands wait for it`;
}

const otherBuild = ({ type, id, buildText }: Participant): string =>
  `${type} ${id} ${type === 'worker' ? 'takes no part' : 'is not served'}: it is ${buildText}`;
