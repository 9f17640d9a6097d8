/**
 * A file beside the database that a process touches after it released, evicted or transferred a lease. Processes that watch
 * the file are notified. A notification may be lost, and does not tell which election has changed.
 */
import { closeSync, type FSWatcher, openSync, utimesSync, watch as watchFile } from 'node:fs';

export class NotificationFile {
  readonly #path: string;
  readonly #onNotification: () => void;
  #watcher: FSWatcher | undefined;
  #isProven = false;
  #isDue = false;

  constructor(path: string, onNotification: () => void) {
    this.#path = path;
    this.#onNotification = onNotification;
  }

  /** A notification came through the watch that stands now: one that this process sent itself is enough. */
  get isProven(): boolean {
    return this.#isProven;
  }

  notify(): void {
    const now = Date.now() / 1_000;
    try {
      utimesSync(this.#path, now, now);
    } catch {
      this.#make();
    }
  }

  /** Does not keep the process alive. */
  start(): void {
    if (this.#watcher !== undefined) return;
    try {
      this.#make();
      this.#watcher = watchFile(this.#path, { persistent: false }, (event) => {
        // The file was removed or replaced: the next notification creates a new one.
        if (event === 'rename') {
          this.stop();
          this.start();
        } else this.#isProven = true;
        this.#notify();
      });
      this.#watcher.on('error', () => this.stop());
      this.notify();
    } catch {
      // The system has no watches left: without notifications, waiting candidates poll.
      this.stop();
    }
  }

  stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#isProven = false;
  }

  /** Notifications that arrive together are one. */
  #notify(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if (this.#watcher !== undefined) this.#onNotification();
    });
  }

  #make(): void {
    try {
      closeSync(openSync(this.#path, 'a', 0o600));
    } catch {}
  }
}
