/** What a worker and a command of a queue tell their user. */
import type { Participant } from './presence.ts';

/** One work in the queue. */
export interface QueuedWork {
  readonly id: string;
  /** For people. */
  readonly work: string;
  readonly jobs: number;
  readonly done: number;
  /** The time since it was put into the queue, by the clock of the server. */
  readonly ageMs: number;
  /** The commands that wait for it: none if it was abandoned. */
  readonly commands: number;
}

export type QueueEvent =
  /** A worker has connected. */
  | {
      readonly type: 'started';
      readonly worker: string;
      readonly build: string;
      readonly cores: number;
      readonly queue: string;
    }
  /** A worker computes the first job of a work. */
  | { readonly type: 'work'; readonly id: string; readonly work: string }
  | { readonly type: 'stopped' }
  /** A command found its work in the queue. */
  | { readonly type: 'found'; readonly id: string }
  /** A command ends before its work. */
  | { readonly type: 'left'; readonly id: string }
  /** The work of a command waits for the workers behind this one. */
  | ({ readonly type: 'behind' } & QueuedWork)
  /** A worker or a command of another build, which takes no part in this work. */
  | { readonly type: 'other-build'; readonly participant: Participant }
  /** No worker can compute the work of a command; `files`: there are workers, but none that accepts files. */
  | { readonly type: 'no-worker'; readonly files: boolean }
  /** A command brings files, which this worker does not accept. */
  | { readonly type: 'files-refused'; readonly command: string }
  /** The server does not answer; the next call tries again. */
  | { readonly type: 'store-error'; readonly message: string };

/** Passes each event on once. */
export class QueueEvents {
  private readonly seen = new Set<string>();
  private readonly onEvent: (event: QueueEvent) => void;

  constructor(onEvent: (event: QueueEvent) => void) {
    this.onEvent = onEvent;
  }

  emit(event: QueueEvent): void {
    // The progress of the other work is no news.
    const key = event.type === 'behind' ? `behind ${event.id}` : JSON.stringify(event);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.onEvent(event);
  }
}

/** For a command, which waits if no worker can compute its work. */
export function eventsForCommand(
  build: string,
  hasFiles: boolean,
  all: readonly Participant[],
): readonly QueueEvent[] {
  const workers = all.filter(({ type }) => type === 'worker');
  const own = workers.filter((worker) => worker.build === build);
  const accepting = hasFiles ? own.filter(({ files }) => files) : own;
  return [
    ...otherBuilds(build, workers),
    ...(accepting.length === 0 ? [{ type: 'no-worker', files: own.length > 0 } as const] : []),
  ];
}

/** For a worker, which takes no part in the work of another build. */
export function eventsForWorker(
  build: string,
  allowFiles: boolean,
  all: readonly Participant[],
): readonly QueueEvent[] {
  const commands = all.filter(({ type }) => type === 'command');
  const refused = commands.filter((command) => command.build === build && command.files && !allowFiles);
  return [
    ...otherBuilds(build, commands),
    ...refused.map(({ id }) => ({ type: 'files-refused', command: id }) as const),
  ];
}

function otherBuilds(own: string, all: readonly Participant[]): readonly QueueEvent[] {
  return all
    .filter(({ build }) => build !== own)
    .map((participant) => ({ type: 'other-build', participant }));
}
