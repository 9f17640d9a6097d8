/**
 * Leases as documents of a server without a clock that a transaction could read: NATS, Kubernetes, etcd and ZooKeeper. The rules
 * run in this process, and each change is one compare-and-set. A challenger acquires a lease when its record has not changed for
 * the whole TTL of its holder on the challenger's own clock. Nothing that the server says is faster: that a key is gone, or that
 * the session of the holder has ended, is a reason to look, and proves nothing. A holder that stops writes the end of its lease.
 *
 * The wall clock of this process only dates terms and registrations, and lifts tokens above those that a server has forgotten. It
 * never ends a lease. Ticks are due by the clock of the server, and dated by it.
 */
import type { ClockReading } from '../../core/clock-reading.ts';
import type { Registration } from '../../core/queue.ts';
import { closedError, StoreError } from '../../core/store-error.ts';
import { type Clock, processClock } from '../../host/process-clock.ts';
import { DEFAULT_KEEP_TERMS } from '../../lease-store.ts';
import type * as Store from '../../store-interface.ts';
import { minToken } from '../election.ts';
import { DocumentAccess, forgottenLeftMs, isForeign, isNews } from './document-access.ts';
import type { DocumentServer, StoredDocument } from './document-server.ts';
import { type KeptElection, MAX_METADATA_LENGTH } from './document-text.ts';
import { ServerClock } from './server-clock.ts';

/** The terms are in the document, which each renewal writes. */
export const MAX_TERMS = 100;

/** The options of a store of documents. */
export interface DocumentStoreOptions extends Store.StoreOptions {
  /** Instead of the wall clock of this process. */
  readonly wallMs?: () => number;
}

/** What the stores in NATS, Kubernetes, etcd and ZooKeeper have in common. */
export class DocumentLeaseStore implements Store.LeaseStore {
  readonly label: string;
  readonly capabilities: Store.Capabilities;
  declare readonly watch?: NonNullable<Store.LeaseStore['watch']>;
  declare readonly acquireAll?: NonNullable<Store.LeaseStore['acquireAll']>;
  declare readonly maxItems?: number;
  readonly #server: DocumentServer;
  readonly #access: DocumentAccess;
  readonly #wallMs: () => number;
  readonly #clock: ServerClock;
  readonly #unwatch = new Set<() => void>();
  #isClosed = false;

  /** @internal Each store is opened by its own class. */
  constructor(server: DocumentServer, options: DocumentStoreOptions = {}) {
    const { keepTerms = DEFAULT_KEEP_TERMS, wallMs = Date.now } = options;
    this.#server = server;
    this.#wallMs = wallMs;
    this.#clock = new ServerClock(server, options.wallMs === undefined ? processClock : clockOf(wallMs));
    this.#access = new DocumentAccess(server, {
      hasClock: false,
      keepTerms: Math.min(keepTerms, MAX_TERMS),
    });
    this.label = server.label;
    const { caveats, ...capabilities } = server.capabilities;
    this.capabilities = {
      ...capabilities,
      expiry: 'observation',
      audit: true,
      transactions: server.writeAll !== undefined,
      caveats: [
        `The history keeps the latest ${MAX_TERMS} terms, and ${MAX_METADATA_LENGTH / 1_024} kB of their metadata. Their times are those of the candidates' clocks.`,
        ...caveats,
      ],
    };
    if (server.maxItems !== undefined) this.maxItems = server.maxItems;
    if (server.writeAll !== undefined) this.acquireAll = (requests) => this.#acquireAll(requests);
    if (server.watch !== undefined) this.watch = (name, onNotification) => this.#watch(name, onNotification);
  }

  async acquire(requests: readonly Store.AcquireRequest[]) {
    return this.#changeEach(requests, (kept, request, now) => this.#acquire(kept, request, now));
  }

  #acquire(kept: KeptElection, request: Store.AcquireRequest, now: ClockReading): Store.AcquireAnswer {
    const { election, pastToken } = kept;
    const remainingMs = forgottenLeftMs(kept, request.ttlMs);
    if (remainingMs > 0 && election.grants(request, now)) {
      return { type: 'held', record: { ...election.record(now), remainingMs, durationMs: remainingMs } };
    }
    // The time of this attempt: a term that was granted since the call began, and forgotten, has a smaller token.
    const token = minToken(pastToken, this.#now());
    return election.acquire(request, now, token, isDue(request, now));
  }

  async #acquireAll(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    const now = this.#now();
    if (requests.length === 0) return [];
    return this.#access.changeAll(
      requests.map(({ name }) => name),
      (kept) => {
        const isFree = requests.map((request, index) => isGrantable(kept[index], request, now));
        const isGranted = isFree.every(Boolean);
        return requests.map((request, index) =>
          isGranted || !isFree[index]
            ? this.#acquire(kept[index], request, now)
            : { type: 'held', record: kept[index].election.record(now) },
        );
      },
    );
  }

  async renew(requests: readonly Store.RenewRequest[]) {
    return this.#changeEach(requests, ({ election }, request, now) => election.renew(request, now), true);
  }

  async release(requests: readonly Store.ReleaseRequest[]) {
    return this.#changeEach(requests, ({ election }, request, now) => election.release(request, now), true);
  }

  async read(names: readonly string[]) {
    const now = this.#now();
    const known = names.length === 0 ? [] : await this.#access.read(names);
    return known.map(({ kept }) => kept.election.record(now));
  }

  isPushing(): boolean {
    return this.#server.isPushing();
  }

  async withdraw(requests: readonly Store.WithdrawRequest[]): Promise<void> {
    await this.#changeEach(requests, ({ election }, { nonce }) => election.withdraw(nonce));
  }

  async candidates(name: string): Promise<readonly Store.WaitingCandidate[]> {
    return this.#look(name, (election, now) => election.candidates(now));
  }

  async evict(name: string, cooldownMs?: number): Promise<boolean> {
    return this.#change(name, ({ election }, now) => {
      this.#refuseForeign(election);
      return election.evict(cooldownMs ?? null, now);
    });
  }

  async requestTransfer(name: string, to: string): Promise<Store.TransferAnswer> {
    return this.#change(name, ({ election }, now) => {
      this.#refuseForeign(election);
      return election.requestTransfer(to, now);
    });
  }

  async time(): Promise<number> {
    this.#now();
    return this.#clock.now();
  }

  async startTick(request: Store.StartTickRequest): Promise<Store.StartTickAnswer> {
    const wallMs = await this.time();
    return this.#change(request.name, ({ election }, now) => election.startTick(request, { ...now, wallMs }));
  }

  async endTick(request: Store.EndTickRequest): Promise<boolean> {
    const wallMs = await this.time();
    return this.#change(request.name, ({ election }, now) => election.endTick(request, { ...now, wallMs }));
  }

  async resetTicks(name: string): Promise<readonly Store.Tick[]> {
    const wallMs = await this.time();
    return this.#change(name, ({ election }, now) => election.resetTicks({ ...now, wallMs }));
  }

  async ticks(name: string, query: Store.TickQuery = {}): Promise<readonly Store.Tick[]> {
    return this.#look(name, (election, now) => election.newestTicks(query, now));
  }

  async history(name: string, query?: Store.HistoryQuery): Promise<readonly Store.Term[]> {
    return this.#look(name, (election, now) => election.history(query, now));
  }

  async names(): Promise<readonly string[]> {
    this.#now();
    return this.#server.names();
  }

  async init({ tokenFrom }: Store.InitOptions = {}): Promise<void> {
    this.#now();
    await this.#access.prepare();
    if (tokenFrom === undefined) return;
    // First the settings: an election that is created meanwhile begins above the token.
    await this.#access.changeSettings((settings) =>
      settings.pastToken >= tokenFrom ? settings : { ...settings, pastToken: tokenFrom },
    );
    await this.#access.change(
      (await this.names()).map((name) => ({
        name,
        make: (kept) => {
          if (kept.pastToken >= tokenFrom) return;
          kept.pastToken = tokenFrom;
          kept.election.isChanged = true;
        },
      })),
    );
  }

  initStatements(): readonly string[] {
    return [];
  }

  async prune(idleMs: number, { dryRun = false }: Store.PruneOptions = {}): Promise<readonly string[]> {
    const now = this.#now();
    const known = await this.#access.read(await this.names());
    const idle = known.filter(
      ({ kept: { election } }) => now.monoMs - election.writtenMs >= idleMs && election.isUnused(now),
    );
    return dryRun ? idle.map(({ kept }) => kept.election.name) : this.#access.remove(idle);
  }

  async probe(): Promise<Store.Probe> {
    this.#now();
    const probe = await this.#server.probe();
    return { ...probe, clockOffsetMs: await this.#clock.offsetMs() };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of [...this.#unwatch]) end();
    this.#clock.close();
    await this.#server.close();
  }

  #watch(name: string, onNotification: () => void): () => void {
    let row: KeptElection['election']['row'] | null = null;
    const stop = this.#server.watch!(name, (document) => {
      const before = row;
      row = document === null ? null : this.#rowOf(name, document);
      if (before === null || row === null || isNews(before, row)) onNotification();
    });
    const end = (): void => {
      if (this.#unwatch.delete(end)) stop();
    };
    this.#unwatch.add(end);
    return end;
  }

  /** Null if it is not a document of hustings. */
  #rowOf(name: string, document: StoredDocument): KeptElection['election']['row'] | null {
    try {
      return this.#access.known(name, document).kept.election.row;
    } catch {
      return null;
    }
  }

  /** Another program reads no requests of ours. */
  #refuseForeign({ name, row }: KeptElection['election']): void {
    if (!isForeign(row)) return;
    throw new StoreError(
      'unusable',
      `${this.label}: ${row.holder?.id}, which leads ${JSON.stringify(name)}, is no candidate of hustings and takes no ` +
        'requests; stop that program instead',
    );
  }

  async #look<Answer>(
    name: string,
    show: (election: KeptElection['election'], now: ClockReading) => Answer,
  ): Promise<Answer> {
    const now = this.#now();
    const [{ kept }] = await this.#access.read([name]);
    return show(kept.election, now);
  }

  async #change<Answer>(
    name: string,
    make: (kept: KeptElection, now: ClockReading) => Answer,
  ): Promise<Answer> {
    const [answer] = await this.#changeEach([{ name }], (kept, _, now) => make(kept, now));
    return answer;
  }

  async #changeEach<Item extends { readonly name: string }, Answer>(
    items: readonly Item[],
    make: (kept: KeptElection, item: Item, now: ClockReading) => Answer,
    asWritten = false,
  ): Promise<readonly Answer[]> {
    const now = this.#now();
    const changes = items.map((item) => ({
      name: item.name,
      make: (kept: KeptElection) => make(kept, item, now),
    }));
    return this.#access.change(changes, asWritten);
  }

  /** Every call begins here, so that a closed store rejects it. The rows of all processes have times of the wall clock. */
  #now(): ClockReading {
    if (this.#isClosed) throw closedError(this.label);
    const wallMs = Math.floor(this.#wallMs());
    return { monoMs: wallMs, wallMs };
  }
}

const clockOf = (wallMs: () => number): Clock => ({ now: () => ({ monoMs: wallMs(), wallMs: wallMs() }) });

const isGrantable = (kept: KeptElection, request: Store.AcquireRequest, now: ClockReading): boolean =>
  forgottenLeftMs(kept, request.ttlMs) === 0 && kept.election.grants(request, now);

/** A registration is written again in its second half, so that a waiting candidate does not write with each request. */
function isDue({ id, priority, registerMs }: Store.AcquireRequest, now: ClockReading) {
  return (before: Registration | undefined): boolean =>
    before === undefined ||
    before.id !== id ||
    before.priority !== priority ||
    before.untilMs - now.monoMs < registerMs / 2;
}
