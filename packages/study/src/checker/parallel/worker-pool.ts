/**
 * Parallel breadth-first search. The threads share the state store, and expand each level together, in rounds.
 *
 * A round is a range of consecutive states of one level. Each thread expands one part of it, and looks its successors up in the
 * hash table that all share. Then the new states get their numbers; see claimed-pairs.ts. All numbers are those that one thread
 * would have given, so the counts, the verdict, the counterexample and the parents do not depend on the number of threads.
 *
 * A round is committed only if nothing special has happened in it. If there is a violation, an error of a handler, or a limit, the
 * round is discarded and one thread expands it as usual. So there is one implementation of all these cases, and their
 * results are the same by construction.
 *
 * Interned values: every thread has its own system, with its own caches of handlers. Equal values have equal numbers in all
 * threads, because new values go through a log; see intern-log.ts. Numbers of values depend on which thread is first. They
 * occur only in the representation of states, and no order depends on them; see channels.ts.
 *
 * Small searches stay in one thread: threads are started when the search has SOME_STATES states, and one thread continues
 * until they are ready. Levels with few states are expanded by one thread too.
 *
 * Not covered: fingerprints, searches for costs, and termination (fairness.ts), which use one thread. A memory limit stops a
 * parallel search up to one round later, and a search that runs out of numbers for interned values may stop a round earlier.
 */
import type { Explorer } from '../search/explorer.ts';
import type { SearchLimits, SearchWorkers } from '../search/search.ts';
import type { StateStore } from '../search/state-store.ts';
import type { InternedValues, NumberedValues, System } from '../search/system.ts';
import { CLAIM } from './claimed-pairs.ts';
import * as control from './control.ts';
import { InternLog } from './intern-log.ts';
import { type RoundMemory, SearchWorker, type StoreMemory } from './search-worker.ts';

/** What a new thread gets. */
export interface ThreadStart {
  readonly worker: number;
  readonly work: RoundMemory;
  readonly values: InternedValues;
  readonly log: SharedArrayBuffer;
}

/** A thread that takes part in a search; see search-threads.ts. */
export interface SearchThread {
  /** Sends the memory of the states, which the thread receives before its next phase. */
  send(memory: StoreMemory): void;
  /** Ends the thread, at once. */
  end(): void;
}

/** Starts a thread. */
export type StartThread = (start: ThreadStart) => SearchThread;

export interface WorkerPoolOptions {
  /** The number of threads, including this one. */
  readonly workers: number;
  readonly start: StartThread;
  readonly pace?: WorkerPoolPace | undefined;
}

/** When a search uses its threads. */
export interface WorkerPoolPace {
  /** Threads are started when the search has this number of states, 50,000 by default. */
  readonly fromStates?: number | undefined;
  /** The search waits for the threads. By default one thread continues until they are ready. */
  readonly waits?: boolean | undefined;
  /** A thread without any progress in this time is lost: it has crashed, or a handler does not return. 10,000 by default. */
  readonly lostMs?: number | undefined;
  /** The least number of states for each thread in a round, 256 by default; one thread expands smaller levels. */
  readonly minEach?: number | undefined;
}

const SOME_STATES = 50_000;
/** States of a round, for each thread. */
const ROUND_EACH = 1 << 14;
const MIN_EACH = 1 << 8;
const CLAIMS_EACH = 1 << 16;
const LOST_MS = 10_000;

export class WorkerPool implements SearchWorkers {
  private readonly work: RoundMemory;
  private readonly fromStates: number;
  private readonly minEach: number;
  private readonly lostMs: number;
  private readonly values: NumberedValues | null;
  private threads: readonly SearchThread[] = [];
  private log: InternLog | null = null;
  private worker: SearchWorker | null = null;
  private sent: StoreMemory | null = null;
  private roundEach = ROUND_EACH;
  /** One thread expands the states below this number. */
  private aloneUntil = 0;
  private isEnded = false;

  constructor(
    private readonly system: System,
    private readonly seen: StateStore,
    private readonly options: WorkerPoolOptions,
  ) {
    const { workers } = options;
    const claims = new Int32Array(new SharedArrayBuffer(4 * CLAIM * CLAIMS_EACH * workers));
    this.work = { workers, words: control.controlWords(workers), claims, claimsEach: CLAIMS_EACH };
    this.fromStates = options.pace?.fromStates ?? SOME_STATES;
    this.lostMs = options.pace?.lostMs ?? LOST_MS;
    this.minEach = options.pace?.minEach ?? MIN_EACH;
    this.values = system.numbers ?? null;
  }

  advance(from: number, nextLevel: number, limits: SearchLimits, explorer: Explorer): number {
    if (from < this.aloneUntil || this.isEnded || !this.isReady()) return 0;
    const { workers } = this.work;
    const to = Math.min(nextLevel, from + workers * this.roundEach);
    if (to - from < workers * this.minEach) return this.leave(to);
    this.reserve();
    if (this.seen.bytes > limits.bytes) return this.leave(to);
    const found = this.tryExpand(from, to, nextLevel, limits);
    if (found === control.FULL) {
      this.roundEach = Math.max(this.minEach, this.roundEach >> 1);
      return to - from <= workers * this.minEach
        ? this.leave(to)
        : this.advance(from, nextLevel, limits, explorer);
    }
    if (found === control.ALONE) return this.leave(to);
    for (let worker = 0; worker < workers; worker++) explorer.include(this.countsOf(worker));
    return to - from;
  }

  end(): void {
    this.isEnded = true;
    for (const thread of this.threads) thread.end();
    this.threads = [];
    this.values?.share(null);
  }

  /** One thread continues without a thread that was lost, and without what it may still write. */
  private tryExpand(from: number, to: number, nextLevel: number, limits: SearchLimits): number {
    try {
      return this.expand(from, to, nextLevel, limits);
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      this.end();
      this.takeRows();
      this.seen.rebuild();
      return control.ALONE;
    }
  }

  private leave(to: number): 0 {
    this.aloneUntil = to;
    return 0;
  }

  /** Starts the threads if the search is large. */
  private isReady(): boolean {
    const { options, seen, work } = this;
    if (this.worker !== null) return true;
    if (this.threads.length === 0) {
      if (seen.count < this.fromStates || this.values === null) return false;
      const values = this.values.exportAll();
      this.log = new InternLog(this.values);
      this.values.share(this.log);
      const { buffer: log } = this.log;
      this.threads = Array.from({ length: work.workers - 1 }, (_, k) =>
        options.start({ worker: k + 1, work, values, log }),
      );
    }
    const { words } = work;
    for (let ready = 0; ; ) {
      ready = Atomics.load(words, control.READY);
      if (ready === this.threads.length) break;
      if (options.pace?.waits !== true) return false;
      if (Atomics.wait(words, control.READY, ready, this.lostMs) === 'timed-out') return false;
    }
    seen.share();
    this.worker = new SearchWorker(0, this.system, work, this.log);
    return true;
  }

  /** Makes room for a round, and tells all threads where the states are now. */
  private reserve(): void {
    const { seen, sent, threads, work } = this;
    seen.reserve(work.workers * CLAIMS_EACH);
    const memory = seen.memory;
    if (sent !== null && isSame(sent, memory)) return;
    this.sent = memory;
    this.worker?.attach(memory);
    for (const thread of threads) thread.send(memory);
  }

  /** Expands a round. Returns 0 if it is committed, otherwise why it was discarded. */
  private expand(from: number, to: number, nextLevel: number, limits: SearchLimits): number {
    const { seen, work } = this;
    const { workers, words } = work;
    const base = seen.count;
    words[control.ABORT] = 0;
    words[control.FROM] = from;
    words[control.TO] = to;
    words[control.NEXT_LEVEL] = nextLevel;
    words[control.BASE] = base;
    words[control.LEFT_ROWS] = seen.left.count;
    words[control.RIGHT_ROWS] = seen.right.count;
    this.run(control.EXPAND);
    this.log?.pull();
    this.takeRows();
    if (words[control.ABORT] !== 0) return this.discard(words[control.ABORT]);
    this.run(control.COUNT);
    let number = base;
    for (let worker = 0; worker < workers; worker++) {
      words[control.workerWord(worker, control.FIRST_NUMBER)] = number;
      number += words[control.workerWord(worker, control.WINNERS)];
    }
    // One thread stops in the middle of the round.
    if (number > limits.states) return this.discard(control.ALONE);
    this.run(control.NUMBER);
    seen.pairs.count = number;
    return 0;
  }

  private takeRows(): void {
    const { seen, work } = this;
    seen.left.take(work.words[control.LEFT_ROWS]);
    seen.right.take(work.words[control.RIGHT_ROWS]);
  }

  private discard(why: number): number {
    this.run(control.DISCARD);
    return why;
  }

  /** Runs a phase in all threads. */
  private run(phase: number): void {
    const { threads, work } = this;
    const { words } = work;
    words[control.PHASE] = phase;
    Atomics.store(words, control.DONE, 0);
    Atomics.add(words, control.GENERATION, 1);
    Atomics.notify(words, control.GENERATION);
    this.worker?.run(phase);
    for (
      let done = Atomics.load(words, control.DONE);
      done < threads.length;
      done = Atomics.load(words, control.DONE)
    ) {
      const pulse = this.pulse();
      if (Atomics.wait(words, control.DONE, done, this.lostMs) === 'timed-out' && this.pulse() === pulse)
        throw new ThreadLost();
    }
  }

  private pulse(): number {
    const { workers, words } = this.work;
    let sum = 0;
    for (let worker = 1; worker < workers; worker++) sum += words[control.workerWord(worker, control.PULSE)];
    return sum;
  }

  private countsOf(worker: number) {
    const word = (which: number): number => this.work.words[control.workerWord(worker, which)];
    return {
      transitions: word(control.TRANSITIONS),
      terminal: word(control.TERMINAL),
      beyondBound: word(control.BEYOND_BOUND),
      mayCycle: word(control.MAY_CYCLE) === 1,
      isReduced: word(control.IS_REDUCED) === 1,
    };
  }
}

/** A thread has crashed, or does not return from a handler. */
class ThreadLost extends Error {}

function isSame(one: StoreMemory, other: StoreMemory): boolean {
  return (
    one.pairs.table === other.pairs.table &&
    one.pairs.blocks.length === other.pairs.blocks.length &&
    one.pairs.blocks[0] === other.pairs.blocks[0] &&
    one.left.table === other.left.table &&
    one.left.rows === other.left.rows &&
    one.right.table === other.right.table &&
    one.right.rows === other.right.rows
  );
}
