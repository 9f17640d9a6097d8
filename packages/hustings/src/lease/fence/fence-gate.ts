/**
 * A gate in front of a resource. Guaranteed: per election, the accepted tokens never decrease (P4). A refused token changes
 * nothing, so a forged token cannot lock out the true leader. With `run`, work under an older token has settled before work
 * under a newer token begins, if both passed this gate.
 *
 * A gate trusts a token that is signed (`key`), or that the store has granted (`newest`). Without both it trusts every bearer:
 * it stops delayed leaders, which is the purpose of a fence, but not forged tokens. Gates in two processes share only their
 * `marks`: work that one gate accepted may still run when the other accepts a newer token.
 */
import { InputError } from '@hustings/base';
import { checkName } from '../core/election-name.ts';
import type { LeaseStore } from '../lease-store.ts';
import { checkFence, type Fence, type ReadFence, splitFence } from './fence.ts';
import { FenceBusyError, FenceError, type RefusalOptions, reporting, staleError } from './fence-error.ts';
import { type FenceKeys, fenceKeys } from './fence-key.ts';
import { type FenceMarks, isStale, MemoryFenceMarks } from './fence-marks.ts';
import { foreignError, readFence } from './signed-fence.ts';

/** The options of a `FenceGate`. */
export interface GateOptions extends FenceKeys, RefusalOptions {
  /** The only election that may pass. Optional if fences are signed or checked: then each election has its own mark. */
  readonly name?: string | undefined;
  /** Reads the latest token of an election from its store: see `newestIn`. Called only if a token would raise the mark. */
  readonly newest?: (name: string) => Promise<bigint>;
  /** Stores the marks; in memory by default. */
  readonly marks?: FenceMarks | undefined;
  /** How long `run` waits for work under older tokens; 2,000 by default. Then it throws a `FenceBusyError`. */
  readonly waitMs?: number | undefined;
}

const DEFAULT_WAIT_MS = 2_000;

/** A fence that passed a gate. */
export interface Passage extends ReadFence {
  /** False as soon as a newer token has passed this gate: the work should stop. */
  isCurrent(): boolean;
  /** Aborts at the same moment, for work that waits: newer work begins only when this work has settled. */
  readonly signal: AbortSignal;
}

/** Accepts the tokens of an election only in increasing order. */
export class FenceGate {
  readonly #options: GateOptions;
  readonly #keys: readonly Uint8Array[];
  readonly #marks: FenceMarks;
  /** By election: the highest token of work that ran or runs here, and the running work. */
  readonly #terms = new Map<string, OwnTerm>();

  constructor(options: GateOptions) {
    if (options.name !== undefined) checkName(options.name, 'an election');
    this.#keys = fenceKeys(options);
    if ('newest' in options && typeof options.newest !== 'function') {
      throw new InputError(
        `newest must be a function, not ${typeof options.newest}; use newestIn(store), or leave it out`,
      );
    }
    const isTrusting = this.#keys.length === 0 && options.newest === undefined;
    if (isTrusting && options.name === undefined) {
      throw new InputError(
        'name, key or newest is required; a gate that trusts every bearer must guard a single election',
      );
    }
    const { waitMs = DEFAULT_WAIT_MS } = options;
    if (!(Number.isSafeInteger(waitMs) && waitMs >= 0 && waitMs < 2 ** 31)) {
      throw new InputError(
        `waitMs must be a whole number of milliseconds from 0 to 2147483647, not ${waitMs}`,
      );
    }
    this.#options = options;
    this.#marks = options.marks ?? new MemoryFenceMarks();
  }

  /** Accepts the fence or throws a `FenceError`. Errors of `newest` and of the marks are thrown too: nothing passes unchecked. */
  async pass(fence: Fence | string): Promise<Passage> {
    return reporting(this.#options, async () => {
      const { name, token } = this.#read(fence);
      const mark = await this.#marks.read(name);
      if (isStale(token, mark)) throw staleError(name, token, mark);
      if (token !== mark) await this.#checkGiven(name, token);
      const raised = await this.#marks.raise(name, token);
      if (isStale(token, raised)) throw staleError(name, token, raised);
      const term = this.#termOf(name);
      if (term.token < token) {
        term.superseded.abort(staleError(name, term.token, token));
        term.token = token;
        term.superseded = new AbortController();
      }
      // Read now: an older token that passed late finds its signal aborted.
      const { signal } = term.token > token ? aborted(staleError(name, token, term.token)) : term.superseded;
      return { name, token, signal, isCurrent: () => term.token <= token };
    });
  }

  /**
   * Passes, waits until work under older tokens has settled, and runs the work, unless a newer token has passed by then. Throws
   * a `FenceBusyError` if the older work takes too long: it may be a request whose sender died halfway.
   */
  async run<T>(fence: Fence | string, work: (passage: Passage) => T | Promise<T>): Promise<T> {
    const passage = await this.pass(fence);
    const term = this.#termOf(passage.name);
    const before = [...term.running].flatMap(([each, token]) => (token < passage.token ? [each] : []));
    const turn = (async () => {
      if (!(await settledWithin(before, this.#options.waitMs ?? DEFAULT_WAIT_MS))) {
        throw new FenceBusyError(passage.name, this.#options.waitMs ?? DEFAULT_WAIT_MS);
      }
      if (!passage.isCurrent()) {
        return reporting(this.#options, async () => {
          throw staleError(passage.name, passage.token, term.token);
        });
      }
      return work(passage);
    })();
    term.running.set(turn, passage.token);
    try {
      return await turn;
    } finally {
      term.running.delete(turn);
    }
  }

  #read(fence: Fence | string): ReadFence {
    const { name } = this.#options;
    if (this.#keys.length > 0) {
      if (typeof fence !== 'string')
        throw new FenceError('forged', 'the fence must be a signed text, not a bare token; pass lead.fence');
      return readFence(fence, name === undefined ? { keys: this.#keys } : { keys: this.#keys, name });
    }
    const read = typeof fence === 'string' ? splitFence(fence) : checkFence(fence);
    if (name !== undefined && read.name !== name) throw foreignError(name, read.name);
    return read;
  }

  async #checkGiven(name: string, token: bigint): Promise<void> {
    const newest = await this.#options.newest?.(name);
    if (newest !== undefined && token > newest) {
      throw new FenceError(
        'forged',
        `the token of ${JSON.stringify(name)} must be at most ${newest}, the latest that the store granted, not ${token}`,
      );
    }
  }

  #termOf(name: string): OwnTerm {
    let term = this.#terms.get(name);
    if (term === undefined) {
      term = { token: 0n, running: new Map(), superseded: new AbortController() };
      this.#terms.set(name, term);
    }
    return term;
  }
}

interface OwnTerm {
  token: bigint;
  readonly running: Map<Promise<unknown>, bigint>;
  /** Aborts when a larger token passes. */
  superseded: AbortController;
}

function aborted(reason: unknown): AbortController {
  const controller = new AbortController();
  controller.abort(reason);
  return controller;
}

/** False if the time is over first. */
async function settledWithin(work: readonly Promise<unknown>[], maxMs: number): Promise<boolean> {
  if (work.length === 0) return true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, maxMs, false);
  });
  try {
    return await Promise.race([Promise.allSettled(work).then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** For `newest`: reads the token from the store of the election. */
export function newestIn(store: Pick<LeaseStore, 'read'>): (name: string) => Promise<bigint> {
  return async (name) => (await store.read([name]))[0].token;
}
