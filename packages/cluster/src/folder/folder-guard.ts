/**
 * A transport that records the folders of the others before it passes on what they send, and tells them that it has. The rules
 * are in folder-record.ts. The disk and the wire are inputs.
 */
import { frameProblem } from '../frame-fields.ts';
import type { Frame, Transport, TransportEvents } from '../transport.ts';
import { type FolderRecord, folderProblem, isRecorded, withPeer, withRecorder } from './folder-record.ts';

/** The member whose folder this is. */
export interface FolderGuardOptions {
  readonly self: number;
  /** From the disk. */
  readonly record: FolderRecord;
  /** Whether there is a connection to this process. */
  isConnected(peer: number): boolean;
  /** Resolves when the record is on disk. One that rejects ends the member; the host knows. */
  save(record: FolderRecord): Promise<void>;
}

/** Frames of members whose folders are on disk here. */
export class FolderGuard implements Transport {
  readonly #options: FolderGuardOptions;
  readonly #inner: Transport;
  #record: FolderRecord;
  #events: TransportEvents | null = null;
  /** What members have sent whose folders are being written. */
  readonly #held = new Map<number, (() => void)[]>();

  constructor(inner: Transport, options: FolderGuardOptions) {
    this.#inner = inner;
    this.#options = options;
    this.#record = options.record;
  }

  /** The folders as far as they are known, on disk or not. */
  get record(): FolderRecord {
    return this.#record;
  }

  /** F2: why such a process is refused, or null. */
  refusal(peer: number, folder: string): string | null {
    return folderProblem(this.#record, peer, folder);
  }

  /** F4. */
  isRecorded(members: readonly number[]): boolean {
    return isRecorded(this.#record, this.#options.self, members);
  }

  open(events: TransportEvents): Promise<void> {
    this.#events = events;
    return this.#inner.open({
      onFrame: (from, frame) => this.#pass(from, () => this.#receive(from, frame)),
      onSignOfLife: (from) => events.onSignOfLife(from),
      onReset: (peer, unacknowledged) => this.#pass(peer, () => events.onReset(peer, unacknowledged)),
      onFolder: (peer, folder) => this.#meet(peer, folder),
    });
  }

  send(to: number, frame: Frame): void {
    this.#inner.send(to, frame);
  }

  reset(to: number): void {
    this.#inner.reset(to);
  }

  close(): Promise<void> {
    this.#events = null;
    this.#held.clear();
    return this.#inner.close();
  }

  /** F2, F3. */
  #meet(peer: number, folder: string): void {
    if (this.refusal(peer, folder) !== null) return;
    const next = withPeer(this.#record, peer, folder);
    if (next === this.#record) {
      if (!this.#held.has(peer)) this.#answer(peer);
      return;
    }
    this.#held.set(peer, []);
    this.#save(next, () => {
      this.#answer(peer);
      const held = this.#held.get(peer) ?? [];
      this.#held.delete(peer);
      for (const event of held) event();
    });
  }

  #answer(peer: number): void {
    const folder = this.#record.peers[peer];
    // Without a connection the answer waits for the next one.
    if (folder === undefined || !this.#options.isConnected(peer)) return;
    this.#inner.send(peer, { type: 'folder', folder });
  }

  #pass(from: number, event: () => void): void {
    const held = this.#held.get(from);
    if (held === undefined) event();
    else held.push(event);
  }

  #receive(from: number, frame: Frame): void {
    // The member reports one that is not valid.
    if (frame.type !== 'folder' || frameProblem(frame) !== null) {
      this.#events?.onFrame(from, frame);
      return;
    }
    if (frame.folder !== this.#record.id) return;
    const next = withRecorder(this.#record, from);
    if (next !== this.#record) this.#save(next, () => undefined);
  }

  /** F4: an answer counts before it is on disk. A process that forgets it asks again. */
  #save(next: FolderRecord, then: () => void): void {
    this.#record = next;
    this.#options.save(next).then(
      () => {
        if (this.#events !== null) then();
      },
      () => undefined,
    );
  }
}
