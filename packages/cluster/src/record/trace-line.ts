/**
 * The recording of one member, as JSON lines: what each of its steps was, with its random draws, its vector clock and what
 * it sent. A file may hold several incarnations, each of which begins with a line `begin`; a process that stops is a crash.
 * Its last line may be torn.
 *
 * Guarantees: a step is recorded after its durable fields are on disk and before its messages leave. So no message comes
 * from a step that was not recorded, and no recorded step was undone by a crash.
 */
import { NONE, type NodeSummary, type Setting } from '@hustings/study/kernel';
import type { MemberEdge } from '../view/overlay.ts';

/** One line of a recording. */
export type TraceLine =
  | {
      readonly type: 'begin';
      readonly cluster: string;
      readonly id: number;
      readonly incarnation: number;
      readonly algorithm: string;
      readonly params: Readonly<Record<string, Setting>>;
      readonly members: readonly number[];
      /** The name of the member list, where the leader can change it, and its stamp: the member begins in that term at least. */
      readonly list?: { readonly version: number; readonly origin: number; readonly stamp?: number };
      /** The links that the algorithm may use; null if the network is built from the members alone. */
      readonly edges: readonly MemberEdge[] | null;
      /** One unit of the algorithm's timers. */
      readonly unitMs: number;
      /** A state of this member was read from disk. */
      readonly recovered: boolean;
      /** The durable fields that were read; null if there was no state. */
      readonly durable: Readonly<Record<string, unknown>> | null;
      /** The causes of steps that the process before it may not have recorded: these messages had been sent before it stopped. */
      readonly after?: readonly string[];
      /** The folders of the members do not last: what the process before it saved does not count. */
      readonly hasForgotten?: true;
    }
  | {
      readonly type: 'epoch';
      readonly number: number;
      readonly proposer: number;
      readonly members: readonly number[];
    }
  | {
      readonly type: 'step';
      /** 0 in a run without epochs. */
      readonly epoch: number;
      readonly proposer: number;
      /** As `formatStep` writes it, with positions in the epoch. */
      readonly step: string;
      /** For a delivery or a notice: the message, as its sender named it. */
      readonly of?: string;
      readonly clock: VectorClock;
      /** The wall clock in milliseconds. It orders nothing. */
      readonly at: number;
      readonly sent: readonly TracedSend[];
      readonly decided?: { readonly role: string; readonly leader: number | null; readonly term: number };
      /** Whom the member follows after the step, where the algorithm tells it; null if nobody. */
      readonly standing?: { readonly leader: number | null; readonly term: number };
    };

/** A standing as a line has it. */
export function recordedStanding({ leader, term }: NodeSummary): {
  readonly leader: number | null;
  readonly term: number;
} {
  return { leader: leader === NONE ? null : leader, term };
}

/** A message that a step sent. */
export interface TracedSend {
  /** The id of the receiver; null for an auxiliary process, which no member runs. */
  readonly to: number | null;
  readonly message: string;
  /** The sender's id, incarnation and count of messages: unique in the cluster. */
  readonly key: string;
}

/** The steps of each member that happened before, by id. A member counts the steps of its own incarnation, from 1. */
export type VectorClock = Readonly<Record<string, number>>;

/** Takes the lines of one member in order. */
export interface TraceWriter {
  /** Takes the next line. */
  write(line: TraceLine): void;
}

/** A writer of JSON lines; `append` gets whole lines. */
export function jsonLines(append: (text: string) => void): TraceWriter {
  return { write: (line) => append(`${JSON.stringify(line)}\n`) };
}

/** The later of two clocks in every entry. */
export function mergeClocks(a: VectorClock, b: VectorClock): VectorClock {
  const merged: Record<string, number> = { ...a };
  for (const [id, steps] of Object.entries(b)) merged[id] = Math.max(merged[id] ?? 0, steps);
  return merged;
}

/** A clock from an untrusted source; entries of others than members are left out. */
export function parseClock(value: unknown, members: readonly number[]): VectorClock {
  const clock: Record<string, number> = {};
  if (typeof value !== 'object' || value === null) return clock;
  for (const id of members) {
    const steps = (value as Record<string, unknown>)[id];
    if (Number.isSafeInteger(steps) && (steps as number) >= 0) clock[id] = steps as number;
  }
  return clock;
}
