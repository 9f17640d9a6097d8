/**
 * What leaves a member: messages, frames and the lines of its recording, in order, and each only after the durable state on
 * which it depends is on disk.
 */
import { mergeClocks, parseClock, type TraceLine, type VectorClock } from '../record/trace-line.ts';
import type { Epoch } from '../view/clique.ts';
import { beginLine } from './begin-line.ts';
import { DurableOutbox, type MemberRecord } from './durable-outbox.ts';
import type { AddressedFrame, ModeHost } from './election-mode.ts';
import type { ElectionRun, HandlerEffects, SentMessage } from './election-run.ts';
import { handlerOutput } from './handler-output.ts';
import type { MemberOptions } from './member-options.ts';

/** What waits for the disk: the effects of a handler, or frames. */
interface HeldItem {
  readonly line: TraceLine | null;
  readonly frames: readonly AddressedFrame[];
  readonly after: (() => void) | null;
}

/** More steps than wait for a disk that works; the record that names their causes has a limited size. */
const MAX_UNRECORDED = 100;

export interface OutputHost {
  /** What must be on disk now; null if there is nothing yet. */
  record(): MemberRecord | null;
  /** False for a member that has been removed since a frame was made. */
  canReach(id: number): boolean;
  onFailure(error: unknown): void;
}

export class MemberOutput {
  /** Messages of the algorithm by type. */
  readonly sent: Record<string, number> = {};
  private readonly outbox: DurableOutbox<HeldItem>;
  /** The record that was saved last, or is being saved. */
  private savedText = '';
  /** The causes of the steps whose lines are held, in order. */
  private readonly unrecorded: string[] = [];
  private vector: VectorClock = {};
  private messages = 0;

  constructor(
    private readonly options: MemberOptions,
    private readonly host: OutputHost,
  ) {
    this.outbox = new DurableOutbox(
      options.store,
      (item) => this.release(item),
      (error) => host.onFailure(error),
    );
  }

  /** What was read from disk. */
  noteSaved(saved: MemberRecord): void {
    this.savedText = JSON.stringify(saved);
  }

  send(frames: readonly AddressedFrame[]): void {
    this.hold({ line: null, frames, after: null });
  }

  /** A line of the recording. */
  write(line: TraceLine): void {
    this.hold({ line, frames: [], after: null });
  }

  /** A recording counts the steps of each start, and those of the members of its list. */
  writeRestart(host: ModeHost, durable: Readonly<Record<string, unknown>> | null): void {
    const { self, trace } = this.options;
    this.vector = { ...parseClock(this.vector, host.members), [self]: 0 };
    this.hold({ line: trace === undefined ? null : beginLine(host, durable), frames: [], after: null });
  }

  /** A message came with this clock. */
  mergeClock(clock: unknown, members: readonly number[]): void {
    const { self, trace } = this.options;
    if (trace === undefined) return;
    const merged = mergeClocks(this.vector, parseClock(clock, members));
    // A peer may still count the steps of an earlier incarnation.
    this.vector = { ...merged, [self]: this.vector[self] ?? 0 };
  }

  /** Names the messages of a handler, and holds them with its step. `after` is called when they have left. */
  sendEffects(
    run: ElectionRun,
    epoch: Epoch | null,
    effects: HandlerEffects,
    cause: string | undefined,
    after: (local: readonly SentMessage[]) => void,
  ): void {
    const { clock, incarnation, self, trace } = this.options;
    this.vector = { ...this.vector, [self]: (this.vector[self] ?? 0) + 1 };
    const { frames, line, local } = handlerOutput(run, effects, {
      epoch,
      cause,
      recorded: trace === undefined ? null : { clock: this.vector, atMs: clock.wallMs() },
      nextKey: () => `${self}.${incarnation}.${++this.messages}`,
    });
    this.hold({ line, frames, after: () => after(local) });
  }

  /** Nothing leaves any more. */
  close(): void {
    this.outbox.close();
  }

  private hold(item: HeldItem): void {
    const cause = causeOf(item);
    if (cause !== undefined) this.unrecorded.push(cause);
    this.outbox.push(item, this.changedRecord());
  }

  /** Null if what is saved, or being saved, is still right. */
  private changedRecord(): MemberRecord | null {
    const record = this.host.record();
    const text = JSON.stringify(record);
    if (record === null || text === this.savedText) return null;
    this.savedText = text;
    const unrecorded = this.unrecorded.slice(-MAX_UNRECORDED);
    return unrecorded.length === 0 ? record : { ...record, unrecorded };
  }

  private release(item: HeldItem): void {
    const { after, frames, line } = item;
    if (line !== null) this.options.trace?.write(line);
    if (causeOf(item) !== undefined) this.unrecorded.shift();
    for (const { frame, to } of frames) {
      if (!this.host.canReach(to)) continue;
      if (frame.type === 'message') {
        const { type } = frame.body as { type: string };
        this.sent[type] = (this.sent[type] ?? 0) + 1;
      }
      this.options.transport.send(to, frame);
    }
    after?.();
  }
}

function causeOf({ line }: HeldItem): string | undefined {
  return line?.type === 'step' ? line.of : undefined;
}
