/** The state of a member on a disk that takes time, may be full, and keeps what was synced through a crash. */

import type { Random } from '../../study/src/kernel/random.ts';
import type { FolderRecord } from '../src/folder/folder-record.ts';
import type { MemberRecord, MemberStore } from '../src/runtime/durable-outbox.ts';
import type { VirtualTime } from './virtual-time.ts';

export class SimulatedDisk implements MemberStore {
  isFull = false;
  /** A mutant: says that a record is saved before it is. */
  isLying = false;
  record: MemberRecord | null = null;
  /** Where folders are compared. */
  folders: FolderRecord = { id: '', recordedBy: [], peers: {} };
  saves = 0;
  /** Ends the saves that are under way: they may or may not have reached the disk. */
  private generation = 0;

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Random,
    private readonly maxMs = 5,
  ) {}

  async load(): Promise<MemberRecord | null> {
    return this.record;
  }

  save(record: MemberRecord): Promise<void> {
    if (this.isFull) {
      this.time.hasSettled = true;
      return Promise.reject(new Error('ENOSPC: no space left on device'));
    }
    const copy = JSON.parse(JSON.stringify(record)) as MemberRecord;
    const { generation } = this;
    this.saves++;
    return new Promise((resolve) => {
      if (this.isLying) resolve();
      this.time.after(this.isLying ? 200 : 1 + this.random.below(this.maxMs), () => {
        if (generation !== this.generation) return;
        this.record = copy;
        this.time.hasSettled = true;
        resolve();
      });
    });
  }

  saveFolders(record: FolderRecord): Promise<void> {
    const { generation } = this;
    return new Promise((resolve) =>
      this.time.after(1 + this.random.below(this.maxMs), () => {
        if (generation !== this.generation) return;
        this.folders = record;
        this.time.hasSettled = true;
        resolve();
      }),
    );
  }

  crash(): void {
    this.generation++;
  }
}
