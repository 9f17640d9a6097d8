/**
 * The gate before a resource. Guaranteed: the tokens that it lets through never fall, for each election (P4); what it refuses leaves no
 * trace, so that a forged token cannot shut out the true leader. With `run`, work under an older token has settled before
 * work under a newer one begins, as far as both came through this gate.
 *
 * A gate believes a token if it is signed (`key`), or if the store has really given it (`newest`). A gate with neither believes
 * every bearer: it stops leaders that are late, which is what fences are for, but not one that lies. Two gates in
 * two processes share what their `marks` share, and work that one of them let through may still run in the other.
 */
import { InputError } from '../../errors/hustings-error.ts';
import { checkName } from '../core/election-name.ts';
import type { LeaseStore } from '../lease-store.ts';
import { checkFence, type Fence, type ReadFence, splitFence } from './fence.ts';
import { FenceError, type RefusalOptions, reporting, staleError } from './fence-error.ts';
import { type FenceKeys, fenceKeys } from './fence-key.ts';
import { type FenceMarks, isStale, MemoryFenceMarks } from './fence-marks.ts';
import { foreignError, readFence } from './signed-fence.ts';

export interface GateOptions extends FenceKeys, RefusalOptions {
  /** The one election that may come here. May be left out where fences are signed or checked: then each has its own mark. */
  readonly name?: string | undefined;
  /** The token of the latest term, as the store has it now: see `newestIn`. Asked only when a token would raise the mark. */
  readonly newest?: (name: string) => Promise<bigint>;
  /** Where the marks are kept; in memory if not given. */
  readonly marks?: FenceMarks | undefined;
}

export interface Passage extends ReadFence {
  /** False as soon as a newer token has come through this gate: the work should end. */
  isCurrent(): boolean;
}

export class FenceGate {
  readonly #options: GateOptions;
  readonly #keys: readonly Uint8Array[];
  readonly #marks: FenceMarks;
  /** The highest token with work under way or done here, and what is under way, by election. */
  readonly #terms = new Map<string, OwnTerm>();

  constructor(options: GateOptions) {
    if (options.name !== undefined) checkName(options.name, 'an election');
    this.#keys = fenceKeys(options);
    if ('newest' in options && typeof options.newest !== 'function') {
      throw new InputError(
        `expected newest as a function, got ${typeof options.newest}: give newestIn(store), or leave it out`,
      );
    }
    const isTrusting = this.#keys.length === 0 && options.newest === undefined;
    if (isTrusting && options.name === undefined) {
      throw new InputError(
        'expected name, key or newest, got none: a gate that believes every bearer guards one election',
      );
    }
    this.#options = options;
    this.#marks = options.marks ?? new MemoryFenceMarks();
  }

  /** Lets the fence through or throws a `FenceError`. What `newest` or the marks throw is thrown on: nothing passes unchecked. */
  async pass(fence: Fence | string): Promise<Passage> {
    return reporting(this.#options, async () => {
      const { name, token } = this.#read(fence);
      const mark = await this.#marks.read(name);
      if (isStale(token, mark)) throw staleError(name, token, mark);
      if (token !== mark) await this.#checkGiven(name, token);
      const raised = await this.#marks.raise(name, token);
      if (isStale(token, raised)) throw staleError(name, token, raised);
      const term = this.#termOf(name);
      if (term.token < token) term.token = token;
      return { name, token, isCurrent: () => term.token <= token };
    });
  }

  /** Passes, waits until work under older tokens has settled, then does the work, unless a newer token came meanwhile. */
  async run<T>(fence: Fence | string, work: (passage: Passage) => T | Promise<T>): Promise<T> {
    const passage = await this.pass(fence);
    const term = this.#termOf(passage.name);
    const before = [...term.running].flatMap(([each, token]) => (token < passage.token ? [each] : []));
    const turn = (async () => {
      await Promise.allSettled(before);
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
        throw new FenceError(
          'forged',
          'expected a signed fence as text, got a bare token: pass on lead.fence',
        );
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
        `expected a token that the store has given, at most ${newest} for ${JSON.stringify(name)}, got ${token}: no leader has it`,
      );
    }
  }

  #termOf(name: string): OwnTerm {
    let term = this.#terms.get(name);
    if (term === undefined) {
      term = { token: 0n, running: new Map() };
      this.#terms.set(name, term);
    }
    return term;
  }
}

interface OwnTerm {
  token: bigint;
  readonly running: Map<Promise<unknown>, bigint>;
}

/** For `newest`: asks the store in which the election is held. */
export function newestIn(store: Pick<LeaseStore, 'read'>): (name: string) => Promise<bigint> {
  return async (name) => (await store.read([name]))[0].token;
}
