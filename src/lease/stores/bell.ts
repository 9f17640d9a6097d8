/**
 * A file beside the database whose only use is to be touched: who watches it hears that some lease changed hands. A ring
 * may be lost, or come for another election.
 */
import { closeSync, type FSWatcher, openSync, utimesSync, watch } from 'node:fs';

export class Bell {
  readonly #path: string;
  readonly #listeners = new Set<() => void>();
  #watcher: FSWatcher | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  ring(): void {
    const now = Date.now() / 1_000;
    try {
      utimesSync(this.#path, now, now);
    } catch {
      this.#make();
    }
  }

  /** Returns what ends the listening. Keeps no process alive. */
  listen(onRing: () => void): () => void {
    const listener = (): void => onRing();
    this.#listeners.add(listener);
    if (this.#watcher === undefined) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #start(): void {
    try {
      this.#make();
      this.#watcher = watch(this.#path, { persistent: false }, (event) => {
        // The bell was removed or replaced: whoever rings next makes a new one.
        if (event === 'rename') {
          this.#stop();
          this.#start();
        }
        for (const listener of [...this.#listeners]) listener();
      });
      this.#watcher.on('error', () => this.#stop());
    } catch {
      // A system that is out of watches: there are no notifications then, and those who wait find out by asking.
      this.#stop();
    }
  }

  #stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #make(): void {
    try {
      closeSync(openSync(this.#path, 'a', 0o600));
    } catch {}
  }
}
