/**
 * A file beside the database that a process touches after it released, evicted or transferred a lease. Processes that watch
 * the file are notified. A notification may be lost, or concern another election.
 */
import { closeSync, type FSWatcher, openSync, utimesSync, watch as watchFile } from 'node:fs';

export class NotificationFile {
  readonly #path: string;
  readonly #listeners = new Set<() => void>();
  #watcher: FSWatcher | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  notify(): void {
    const now = Date.now() / 1_000;
    try {
      utimesSync(this.#path, now, now);
    } catch {
      this.#make();
    }
  }

  /** Returns a function that ends the watch. Does not keep the process alive. */
  watch(onNotification: () => void): () => void {
    const listener = (): void => onNotification();
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
      this.#watcher = watchFile(this.#path, { persistent: false }, (event) => {
        // The file was removed or replaced: the next notification creates a new one.
        if (event === 'rename') {
          this.#stop();
          this.#start();
        }
        for (const listener of [...this.#listeners]) listener();
      });
      this.#watcher.on('error', () => this.#stop());
    } catch {
      // The system has no watches left: without notifications, waiting candidates poll.
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
