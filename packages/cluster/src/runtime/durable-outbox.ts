/**
 * Holds back what depends on durable state until that state is on disk.
 *
 * Guarantees: items are released in the order in which they came; an item is released only after the latest record that came
 * with or before it is saved. Records that come during a save are saved together by the next one. After a failed save nothing
 * is released any more. At most `MAX_HELD` items wait: a disk that does not answer counts as one that fails.
 */

/** Where a member keeps its durable state. */
export interface MemberStore {
  /** Null if this member has never run here. Rejects if the state cannot be read or is not valid. */
  load(): Promise<MemberRecord | null>;
  /** Resolves when the record is on disk. */
  save(record: MemberRecord): Promise<void>;
}

/** What a member must not forget. */
export interface MemberRecord {
  readonly algorithm: string;
  /** The largest epoch number that it has entered or proposed. */
  readonly entered: number;
  /** The durable fields of the algorithm by name. */
  readonly durable: Readonly<Record<string, unknown>>;
  /** How long its promises to a leader last, after the process has ended too; 0 unless given. */
  readonly promiseMs?: number | undefined;
  /**
   * With a recording: the causes of steps that were not recorded yet. If the process is stopped before it records them, the next
   * start tells the recording, which has no other proof that these messages were sent before the crash.
   */
  readonly unrecorded?: readonly string[] | undefined;
}

/** More than a member does in minutes. */
export const MAX_HELD = 10_000;

export class DurableOutbox<T> {
  private readonly held: { readonly item: T; readonly needs: number }[] = [];
  private latest: MemberRecord | null = null;
  private requested = 0;
  private saved = 0;
  private isSaving = false;
  private isClosed = false;

  constructor(
    private readonly store: Pick<MemberStore, 'save'>,
    private readonly release: (item: T) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** `record` is given if it has changed. */
  push(item: T, record: MemberRecord | null): void {
    if (this.isClosed) return;
    if (record !== null) {
      this.latest = record;
      this.requested++;
    }
    this.held.push({ item, needs: this.requested });
    this.flush();
    if (this.held.length > MAX_HELD) {
      this.close();
      this.onFailure(new Error(`${MAX_HELD} steps wait for one save: the disk does not answer`));
      return;
    }
    if (!this.isSaving && this.saved < this.requested) void this.saveAll();
  }

  /** Nothing is released any more. */
  close(): void {
    this.isClosed = true;
    this.held.length = 0;
  }

  private async saveAll(): Promise<void> {
    this.isSaving = true;
    try {
      while (!this.isClosed && this.saved < this.requested) {
        const target = this.requested;
        await this.store.save(this.latest as MemberRecord);
        this.saved = target;
        this.flush();
      }
    } catch (error) {
      if (this.isClosed) return;
      this.close();
      this.onFailure(error);
    } finally {
      this.isSaving = false;
    }
  }

  private flush(): void {
    while (this.held.length > 0 && this.held[0].needs <= this.saved) {
      const next = this.held.shift();
      if (next !== undefined) this.release(next.item);
    }
  }
}
