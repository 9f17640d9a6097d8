/**
 * Runs work on the machines of a queue, from the command that wants its result.
 *
 * Guarantees: the merged parts are those of one core. If this process is killed, the work goes on, and the same command
 * finds it again within KEEP_MS.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from 'hustings/lease';
import { type BatchState, BatchStore } from './batch-store.ts';
import { Coordinator } from './coordinator.ts';
import { Presence } from './presence.ts';
import type { QueueConnection } from './queue-connection.ts';
import { QueueError } from './queue-error.ts';
import { eventsForCommand, type QueueEvent, QueueEvents } from './queue-event.ts';
import { hasFiles, type MergedParts, type SharedWork } from './shared-work.ts';
import { cancelWork, listWork } from './work-list.ts';

const POLL_MS = 100;
const PARTS_MS = 1_000;
/** How long a command waits for its first result before it says what it waits for. */
const BEHIND_MS = 2_000;
/** How long a result stays after a command has taken it, for another command that waits for it. */
const DELIVERED_MS = 600_000;

/** The reason of a signal that cancels the work. Any other reason leaves it to the workers. */
export const CANCEL = 'cancel';

export interface SharedRunOptions {
  /** Called about once per second and at the end. */
  readonly onParts: (parts: MergedParts) => void;
  readonly onEvent: (event: QueueEvent) => void;
  readonly signal: AbortSignal;
}

/** The error of the work if it failed, otherwise null: it is done, or `signal` aborted. */
export async function runShared(
  connection: QueueConnection,
  work: SharedWork,
  { onParts, onEvent, signal }: SharedRunOptions,
): Promise<object | null> {
  const events = new QueueEvents(onEvent);
  connection.onTrouble = ({ message }) => events.emit({ type: 'store-error', message });
  const { name, isNew } = await new BatchStore(connection).open(work);
  const shared = new SharedRun(connection, name, work, { onParts, signal }, events);
  const presence = presenceOf(connection, name, hasFiles(work), events);
  const ending = new AbortController();
  let coordination: Promise<void> = Promise.resolve();
  try {
    if (!isNew) events.emit({ type: 'found', id: name });
    presence.start();
    coordination = new Coordinator(connection, () => presence.cores()).campaign(ending.signal);
    // Coordination ends before the work only with an error.
    const error = await Promise.race([shared.wait(), coordination.then(() => new Promise<never>(() => {}))]);
    if (signal.aborted) await shared.leave();
    return error;
  } finally {
    ending.abort();
    await Promise.allSettled([coordination, presence.stop()]);
  }
}

function presenceOf(
  connection: QueueConnection,
  batch: string,
  files: boolean,
  events: QueueEvents,
): Presence {
  const self = { type: 'command', id: `${hostname()}-${process.pid}`, files, cores: 0, batch } as const;
  let isFirst = true;
  return new Presence(connection, self, (all) => {
    // A worker may start at the same time.
    if (!isFirst) for (const event of eventsForCommand(connection.build.hash, files, all)) events.emit(event);
    isFirst = false;
  });
}

class SharedRun {
  private readonly connection: QueueConnection;
  private readonly store: BatchStore;
  private readonly name: string;
  private readonly work: SharedWork;
  private readonly onParts: (parts: MergedParts) => void;
  private readonly signal: AbortSignal;
  private readonly events: QueueEvents;

  constructor(
    connection: QueueConnection,
    name: string,
    work: SharedWork,
    { onParts, signal }: Pick<SharedRunOptions, 'onParts' | 'signal'>,
    events: QueueEvents,
  ) {
    this.connection = connection;
    this.store = new BatchStore(connection);
    this.name = name;
    this.work = work;
    this.onParts = onParts;
    this.signal = signal;
    this.events = events;
  }

  /** The error of the work, or null when it is done or the signal aborted. */
  async wait(): Promise<object | null> {
    let shownMs = Number.NEGATIVE_INFINITY;
    let askedMs = performance.now();
    let merged = 0;
    while (!this.signal.aborted) {
      const state = await this.patiently(() => this.state());
      if (state === undefined) continue;
      if (state.error !== null) return state.error;
      if (hasEnded(state)) break;
      if (state.merged > merged && performance.now() - shownMs > PARTS_MS) {
        merged = state.merged;
        await this.show();
        shownMs = performance.now();
      }
      if (state.merged === 0 && performance.now() - askedMs > BEHIND_MS) {
        await this.patiently(() => this.tellBehind());
        askedMs = performance.now();
      }
      await sleep(POLL_MS);
    }
    while (!(await this.show()) && !this.signal.aborted);
    if (this.signal.aborted) return null;
    const { keys } = this.connection;
    await this.connection.redis((redis) => redis.pexpire(keys.batch(this.name), DELIVERED_MS));
    return null;
  }

  /** After the signal. */
  async leave(): Promise<void> {
    if (this.signal.reason === CANCEL) await cancelWork(this.connection, this.name);
    else this.events.emit({ type: 'left', id: this.name });
  }

  /** The jobs of older works precede those of this one. */
  private async tellBehind(): Promise<void> {
    const works = await listWork(this.connection);
    const own = works.findIndex(({ id }) => id === this.name);
    for (const { hasFiles: withFiles, ...work } of works.slice(0, Math.max(0, own))) {
      if (withFiles === hasFiles(this.work)) this.events.emit({ type: 'behind', ...work });
    }
  }

  private async state(): Promise<BatchState> {
    const state = await this.store.state(this.name);
    if (state !== null) return state;
    throw new QueueError('the queue has lost this work; run the command again');
  }

  /** False if the server does not answer now. */
  private async show(): Promise<boolean> {
    const parts = await this.patiently(() => this.store.parts(this.name, this.work.type));
    if (parts !== undefined) this.onParts(parts);
    return parts !== undefined;
  }

  /** Undefined if the server does not answer now. */
  private async patiently<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || !['unreachable', 'busy'].includes(error.kind)) throw error;
      this.connection.onTrouble(error);
      await sleep(POLL_MS);
      return undefined;
    }
  }
}

function hasEnded(state: BatchState): boolean {
  if (state.status === 'cancelled') {
    throw new QueueError('another command has cancelled this work; run the command again');
  }
  return state.status === 'done';
}
