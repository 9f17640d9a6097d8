/**
 * The steps of a member for readers that watch it live: the lines of a recording, in memory.
 *
 * Guarantees: the last MAX_LINES lines are kept, and of the lines before them the last MAX_NOTABLE that are not upkeep,
 * however slow a reader is. So a reader that comes late gets the last election. Each message says how many lines before it
 * the reader has missed. It begins with the line `begin` of the process and its present epoch.
 */
import type { StepLine } from '../record/parse-trace.ts';
import type { TraceLine, TraceWriter } from '../record/trace-line.ts';
import { type IsUpkeep, isSameStanding, isUpkeepStep } from '../record/upkeep-step.ts';

/** What a reader gets. */
export interface StepMessage {
  /** How many lines were left out before these. */
  readonly dropped: number;
  readonly lines: readonly TraceLine[];
}

/** Who reads: an `EventStream`. */
export interface StepReader {
  /** What was sent and not yet read. */
  readonly unreadBytes: number;
  /** Sends one message to the reader. */
  send(message: StepMessage): void;
}

const MAX_LINES = 512;
const MAX_NOTABLE = 128;
/** Lines that come together are sent together. */
const FLUSH_MS = 50;
/** A reader that has not read this much gets nothing more until it has. */
const MAX_UNREAD_BYTES = 256_000;

/** The steps of a member as server-sent events, the latest ones first of all: what the lab shows of a running cluster. */
export class StepStream implements TraceWriter {
  readonly #isUpkeep: IsUpkeep | null;
  readonly #lines: TraceLine[] = [];
  readonly #notable: { readonly line: TraceLine; readonly number: number }[] = [];
  #standing: StepLine['standing'];
  /** The number of all lines, and of the first that is kept. */
  #count = 0;
  #head: { begin?: TraceLine; epoch?: TraceLine } = {};
  /** By reader: the number of the next line that it gets. */
  readonly #readers = new Map<StepReader, number>();
  #timer: NodeJS.Timeout | null = null;

  /** Without `isUpkeep` only the last lines are kept. */
  constructor(isUpkeep: IsUpkeep | null = null) {
    this.#isUpkeep = isUpkeep;
  }

  /** Passes the line on to all readers. */
  write(line: TraceLine): void {
    if (this.#isNotable(line)) this.#notable.push({ line, number: this.#count });
    if (this.#notable.length > MAX_NOTABLE) this.#notable.shift();
    if (line.type === 'begin') this.#head = { begin: line };
    else if (line.type === 'epoch') this.#head = { ...this.#head, epoch: line };
    this.#lines.push(line);
    this.#count++;
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
    if (this.#readers.size > 0) this.#schedule();
  }

  /** The reader gets what is kept, and then each line soon after it is written. */
  add(reader: StepReader): void {
    this.#readers.set(reader, 0);
    this.#flush(reader, true);
  }

  /** Sends nothing more to this reader. */
  remove(reader: StepReader): void {
    this.#readers.delete(reader);
  }

  #isNotable(line: TraceLine): boolean {
    if (this.#isUpkeep === null) return false;
    if (line.type !== 'step') return true;
    const isTurn = !isSameStanding(line.standing, this.#standing);
    this.#standing = line.standing;
    return isTurn || !isUpkeepStep(line, this.#isUpkeep);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const reader of this.#readers.keys()) this.#flush(reader, false);
    }, FLUSH_MS).unref();
  }

  #flush(reader: StepReader, isFirst: boolean): void {
    const next = this.#readers.get(reader) ?? this.#count;
    if (next === this.#count && !isFirst) return;
    if (reader.unreadBytes > MAX_UNREAD_BYTES) {
      this.#schedule();
      return;
    }
    const first = this.#count - this.#lines.length;
    const dropped = Math.max(0, first - next);
    const lines = this.#lines.slice(Math.max(0, next - first));
    const notable = this.#notable.filter(({ number }) => number >= next && number < first);
    const kept = [...notable.map(({ line }) => line), ...lines];
    // Without them the other lines cannot be understood.
    const head =
      isFirst || dropped > 0 ? Object.values(this.#head).filter((line) => !kept.includes(line)) : [];
    this.#readers.set(reader, this.#count);
    const missed = dropped - head.length - notable.length;
    reader.send({ dropped: Math.max(0, missed), lines: [...head, ...kept] });
  }
}

/** Writes each line to all of these writers; undefined if there is none. */
export function allWriters(...writers: readonly (TraceWriter | null | undefined)[]): TraceWriter | undefined {
  const given = writers.filter((writer) => writer != null);
  if (given.length < 2) return given[0];
  return {
    write: (line) => {
      for (const writer of given) writer.write(line);
    },
  };
}
