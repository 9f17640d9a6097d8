/** Documents in the memory of this process, with the faults of a server: lost answers and failed writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../../../src/lease/core/store-error.ts';
import type {
  DocumentKey,
  DocumentServer,
  DocumentWrite,
  StoredDocument,
  WriteAnswer,
} from '../../../../src/lease/stores/document/document-server.ts';

export class Documents {
  readonly stored = new Map<DocumentKey, { text: string; revision: number }>();
  readonly watchers = new Set<(key: DocumentKey) => void>();
  /** Called before each write; throws to fail it. */
  beforeWrite: (write: DocumentWrite) => void | Promise<void> = () => undefined;
  /** The incarnation of the server; a test that replaces the documents sets another one. */
  incarnation?: string;
  reads = 0;
  writes = 0;
  #revision = 0;

  put(key: DocumentKey, text: string): number {
    this.stored.set(key, { text, revision: ++this.#revision });
    for (const watcher of this.watchers) watcher(key);
    return this.#revision;
  }

  get(key: DocumentKey): StoredDocument | null {
    const found = this.stored.get(key);
    return found === undefined ? null : { text: found.text, ...this.state(found.revision) };
  }

  state(revision: number): { readonly revision: string; readonly incarnation?: string } {
    const { incarnation } = this;
    return { revision: String(revision), ...(incarnation === undefined ? {} : { incarnation }) };
  }
}

export class MemoryDocumentServer implements DocumentServer {
  readonly label = 'documents:';
  readonly clockResolutionMs = 1;
  readonly capabilities = {
    linearizable: true,
    survivesCrash: false,
    survivesFailover: false,
    push: true,
    tickClock: 'server' as const,
    caveats: [],
  };

  constructor(
    private readonly documents: Documents,
    /** The clock of the server. */
    private readonly wallMs: () => number = Date.now,
  ) {}

  async clock(): Promise<number> {
    return this.wallMs();
  }

  async read(keys: readonly DocumentKey[]): Promise<readonly (StoredDocument | null)[]> {
    this.documents.reads++;
    await Promise.resolve();
    return keys.map((key) => this.documents.get(key));
  }

  async writeAll(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    const { documents } = this;
    for (const write of writes) await documents.beforeWrite(write);
    const isCurrent = ({ key, revision }: DocumentWrite): boolean =>
      (documents.get(key)?.revision ?? null) === revision;
    if (!writes.every(isCurrent)) return writes.map(() => ({ type: 'conflict' }));
    return writes.map(({ key, text }) => ({ type: 'ok', ...documents.state(documents.put(key, text)) }));
  }

  async write(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    const { documents } = this;
    documents.writes++;
    const answers: WriteAnswer[] = [];
    for (const write of writes) {
      const { key, text, revision } = write;
      try {
        await documents.beforeWrite(write);
      } catch (error) {
        answers.push({
          type: 'failed',
          error: new StoreError('unreachable', 'a failure of the test', error),
        });
        continue;
      }
      const isCurrent = (documents.get(key)?.revision ?? null) === revision;
      answers.push(
        isCurrent ? { type: 'ok', ...documents.state(documents.put(key, text)) } : { type: 'conflict' },
      );
    }
    return answers;
  }

  async remove(name: string, revision: string): Promise<boolean> {
    if (this.documents.get(name)?.revision !== revision) return false;
    return this.documents.stored.delete(name);
  }

  async names(): Promise<readonly string[]> {
    return [...this.documents.stored.keys()].filter((key): key is string => typeof key === 'string');
  }

  watch(name: string, onChange: (document: StoredDocument | null) => void): () => void {
    const watcher = (key: DocumentKey): void => {
      if (key === name) onChange(this.documents.get(name));
    };
    this.documents.watchers.add(watcher);
    return () => this.documents.watchers.delete(watcher);
  }

  isPushing(): boolean {
    return true;
  }

  async probe() {
    return { server: 'documents', roundTripMs: 0, problems: [], warnings: [] };
  }

  async close(): Promise<void> {
    await sleep(0);
  }
}
