/** Who is notified of which election. The same function may watch twice, and is then called twice. */
export class Watchers<News extends readonly unknown[] = []> {
  readonly #byName = new Map<string, Set<(...news: News) => void>>();

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  names(): string[] {
    return [...this.#byName.keys()];
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Returns a function that ends the watch; `onLast` is called if it was the last one of that name. */
  add(name: string, onNews: (...news: News) => void, onLast: () => void = () => undefined): () => void {
    const watchers = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, watchers);
    const watcher = (...news: News): void => onNews(...news);
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
      if (watchers.size > 0 || this.#byName.get(name) !== watchers) return;
      this.#byName.delete(name);
      onLast();
    };
  }

  /** A watch that ends meanwhile is not notified. */
  notify(name: string, ...news: News): void {
    const watchers = this.#byName.get(name);
    if (watchers === undefined) return;
    for (const watcher of [...watchers]) if (watchers.has(watcher)) watcher(...news);
  }

  notifyAll(...news: News): void {
    for (const name of this.names()) this.notify(name, ...news);
  }

  clear(): void {
    for (const watchers of this.#byName.values()) watchers.clear();
    this.#byName.clear();
  }
}
