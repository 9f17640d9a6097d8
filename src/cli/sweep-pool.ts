/**
 * Threads that share the chunks of a sweep: each takes the next one when it has done the last.
 *
 * Guarantees: `run` settles when all chunks are done, with the first error of a thread, or when `stop` was called; no
 * thread is left then. What was under way at the stop is lost: `done` has heard of whole chunks only.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CapacityError, ElectionError, HustingsError, InputError } from '../kernel/index.ts';
import type { CellTally, SweepChunk } from '../sweep/index.ts';
import { SurroundingsError } from './failure.ts';
import type { FromWorker, SentError, SweepWork } from './sweep-worker.ts';

const COMPILED = fileURLToPath(new URL('./sweep-worker.js', import.meta.url));

export type ChunkDone = (chunk: SweepChunk, tally: CellTally, tookMs: number) => void;

export class SweepPool {
  private readonly threads: readonly Worker[];
  private end: (error?: unknown) => void = () => {};

  constructor(cores: number, work: SweepWork) {
    this.threads = Array.from({ length: cores }, () => new Worker(COMPILED, { workerData: work }));
  }

  async run(chunks: Iterator<SweepChunk>, done: ChunkDone): Promise<void> {
    let working = this.threads.length;
    try {
      await new Promise<void>((resolve, reject) => {
        this.end = (error) => (error === undefined ? resolve() : reject(error));
        for (const thread of this.threads) {
          const goOn = (): void => {
            const next = chunks.next();
            if (!next.done) thread.postMessage(next.value);
            else if (--working === 0) resolve();
          };
          thread.on('message', (message: FromWorker) => {
            try {
              if ('error' in message) throw received(message.error);
              done(message.chunk, message.tally, message.tookMs);
              goOn();
            } catch (error) {
              reject(error);
            }
          });
          thread.on('error', (error) => reject(fatal(error)));
          thread.on('exit', () => reject(new SurroundingsError('expected a thread to stay, but it ended')));
          goOn();
        }
      });
    } finally {
      await Promise.all(
        this.threads.map((thread) => {
          thread.removeAllListeners();
          return thread.terminate();
        }),
      );
    }
  }

  stop(): void {
    this.end();
  }
}

/** What ended a thread. */
function fatal(error: Error & { code?: unknown }): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new SurroundingsError(
    'expected enough memory for the runs, got too little: take fewer nodes or cores',
    error,
  );
}

/** The same error again, of the class that its code names. */
function received({ text, code, property, replay, stack }: SentError): Error {
  if (property !== undefined && replay !== undefined) return new ElectionError(text, { property, replay });
  if (code === 'HUSTINGS_SURROUNDINGS') return new SurroundingsError(text);
  if (code === 'HUSTINGS_INPUT' || code === 'HUSTINGS_ASSUMPTION') return new InputError(text, { code });
  if (code === 'HUSTINGS_CAPACITY') return new CapacityError(text);
  if (code !== undefined) return new HustingsError(text, { code });
  if (text.startsWith('RangeError: ')) return new RangeError(text.slice('RangeError: '.length));
  const error = new Error(text);
  if (stack !== undefined) error.stack = stack;
  return error;
}
