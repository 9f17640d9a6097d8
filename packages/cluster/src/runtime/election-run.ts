/**
 * One position of a machine, driven by real events: the start, messages, timers, notices of the failure detector.
 *
 * Guarantees: a handler runs to completion; a message that the declarations do not allow reaches no handler; a handler that
 * throws changes nothing and sends nothing, and neither does a message that would raise the term too far. The effects of a
 * handler are given to `onEffects`; timers run by themselves.
 */
import { errorMessage } from '@hustings/base';
import {
  AWAKE,
  address,
  type Decision,
  Machine,
  type NodeSnapshot,
  portOf,
  receiverOf,
  type Setup,
  type Step,
} from '@hustings/study/driver';
import { nodeSummaryAt } from '@hustings/study/internal/kernel/node-summary-at';
import { termToStartFor } from '@hustings/study/internal/kernel/world/failure-detector';
import { runHandler } from '@hustings/study/internal/kernel/world/node-step';
import { formatMessage, NONE, type NodeSummary, type TracedMessage } from '@hustings/study/kernel';
import type { TermIncrementLimiter } from '../gate/term-increment-limiter.ts';
import { readDurable, writeDurable } from '../record/durable-fields.ts';
import type { MemberClock } from './member-clock.ts';

/** A message that a handler sent: `port` is that of the receiver. */
export interface SentMessage {
  /** A position. */
  readonly to: number;
  readonly port: number;
  readonly message: TracedMessage;
}

/** What a handler did. */
export interface HandlerEffects {
  /** With its random draws. */
  readonly step: Step;
  readonly sent: readonly SentMessage[];
  /** Null unless the handler decided. */
  readonly decision: Decision | null;
  /** The durable fields after it. */
  readonly durable: Readonly<Record<string, unknown>>;
  /** Null if the algorithm does not tell. */
  readonly standing: NodeSummary | null;
  /** `leadMs` before it ran. */
  readonly beganMs: number;
}

export interface ElectionRunOptions {
  readonly setup: Setup;
  /** The position of this member. */
  readonly at: number;
  readonly unitMs: number;
  readonly clock: MemberClock;
  /** How far messages of other members may raise the term; undefined if terms begin again with each run. */
  readonly limit: TermIncrementLimiter | undefined;
  /** The clock by which this member leads. */
  leadMs(): number;
  /** A random whole number from 1 to `sides`. */
  draw(sides: number): number;
  /** `cause` is what `deliver` or `notify` was given. */
  onEffects(effects: HandlerEffects, cause: string | undefined): void;
  /** A handler threw: nothing has changed. */
  onFailure(error: unknown): void;
}

/** Ends a handler: its message would raise the term too far. */
class RefusedRaise extends Error {}

/** One position of a machine. */
export class ElectionRun {
  readonly setup: Setup;
  readonly at: number;
  private readonly options: ElectionRunOptions;
  private readonly machine: Machine;
  private readonly startedMs: number;
  private readonly timers = new Map<number, () => void>();
  private node: NodeSnapshot;
  private isClosed = false;

  constructor(options: ElectionRunOptions) {
    const { algorithm, diameter, ids, nodes: n, params, topology } = options.setup;
    this.options = options;
    this.setup = options.setup;
    this.at = options.at;
    this.startedMs = options.clock.now();
    const status = new Uint8Array(topology.n);
    const canStart = new Uint8Array(topology.n).fill(1);
    this.machine = new Machine(algorithm, { n, ids, topology, params, diameter, status, canStart });
    this.node = { record: this.machine.save(this.at), timers: this.noTimers(), startedFor: NONE, led: [] };
  }

  get isAwake(): boolean {
    return (this.machine.status[this.at] & AWAKE) !== 0;
  }

  get decision(): Decision | null {
    return this.machine.decisions.read(this.at);
  }

  /** The term for which it last started by itself. */
  get startedFor(): number {
    return this.node.startedFor;
  }

  get fields(): Readonly<Record<string, unknown>> {
    return this.machine.fieldsOf(this.at);
  }

  get durable(): Readonly<Record<string, unknown>> {
    return readDurable(this.machine, this.at);
  }

  /** Where this member stands now; null if the algorithm does not tell. */
  get standing(): NodeSummary | null {
    return nodeSummaryAt(this.setup, this.at, this.fields);
  }

  start(): void {
    const [, role, , term] = this.node.record;
    const startedFor = termToStartFor(this.setup.algorithm, role, term);
    this.handle({ type: 'start', node: this.at }, () => this.machine.start(this.at), undefined, {
      startedFor,
    });
  }

  /** Fills in the durable fields before `recover`. Throws if they are not those of this algorithm. */
  restore(durable: Readonly<Record<string, unknown>>): void {
    this.machine.crash(this.at);
    writeDurable(this.machine, this.at, durable);
    this.node = { ...this.node, record: this.machine.save(this.at) };
  }

  /** Continues after a crash with the fields of `restore`. */
  recover(): void {
    this.handle({ type: 'recover', node: this.at }, () => this.machine.restart(this.at));
  }

  /** A message from an untrusted source; returns why it is refused, or null. */
  deliver(from: number, port: unknown, values: unknown, cause?: string): string | null {
    const { topology } = this.setup;
    const isPort =
      Number.isInteger(port) && (port as number) >= 0 && (port as number) < topology.degree(this.at);
    if (!isPort || topology.neighbour(this.at, port as number) !== from)
      return `port ${String(port)} does not lead to its sender`;
    const sendPort = topology.backPort(this.at, port as number);
    if (!topology.sends(sendPort)) return `port ${String(port)} does not receive`;
    return this.withRecord(this.at, port as number, values, (words, message) =>
      this.handle(
        { type: 'deliver', from, to: this.at, message: formatMessage(message), port: port as number },
        () => this.receive(from, words, message),
        cause,
      ),
    );
  }

  /** The receiver of a message that this node sent is suspected, and has not acknowledged it. */
  notify({ message, port, to }: SentMessage, cause?: string): void {
    if (this.setup.algorithm.onUndelivered === undefined) return;
    const sendPort = this.setup.topology.backPort(to, port);
    this.withRecord(to, port, message, (words) =>
      this.handle(
        { type: 'notice', from: this.at, to, message: formatMessage(message), port },
        () => this.machine.undelivered(this.at, sendPort, words, 0),
        cause,
      ),
    );
  }

  /** No timer fires and no handler runs any more. */
  close(): void {
    this.isClosed = true;
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
  }

  /** A message may name a term that the handler passes on, or raise the term by fields of other names. */
  private receive(from: number, words: Int32Array, message: TracedMessage): void {
    const { termField } = this.setup.algorithm;
    const { limit } = this.options;
    if (limit === undefined || termField === undefined || from === this.at) {
      this.machine.receive(words, 0);
      return;
    }
    const before = this.fields[termField] as number;
    const named = message[termField];
    const early = typeof named === 'number' ? limit.refusal(before, named) : null;
    if (early === null) this.machine.receive(words, 0);
    const reason = early ?? limit.refusal(before, this.fields[termField] as number);
    if (reason !== null) throw new RefusedRaise(reason);
  }

  private withRecord(
    to: number,
    port: number,
    values: unknown,
    use: (words: Int32Array, message: TracedMessage) => string | null,
  ): string | null {
    const { codec, lists, messageLimits } = this.machine;
    const words = new Int32Array(codec.width);
    try {
      address(words, 0, to, port, codec.write(values, words, 0, messageLimits, lists));
    } catch (error) {
      return errorMessage(error);
    }
    // Read back: the fields in the order of the declaration, and no others.
    const reason = use(words, codec.read(words, 0, lists) as TracedMessage);
    codec.releaseLists(words, 0, lists);
    return reason;
  }

  /** Returns why a message is refused, or null. */
  private handle(
    step: Step,
    call: () => void,
    cause?: string,
    change: Partial<NodeSnapshot> = {},
  ): string | null {
    if (this.isClosed) return null;
    const { context } = this.machine;
    const beganMs = this.options.leadMs();
    const draws: number[] = [];
    context.draw = (sides) => {
      draws.push(this.options.draw(sides));
      return draws[draws.length - 1];
    };
    context.clock = (this.options.clock.now() - this.startedMs) / this.options.unitMs;
    const { failure, node } = runHandler(this.machine, this.at, this.node, call, change);
    if (failure !== null) {
      if (failure.error instanceof RefusedRaise) return failure.error.message;
      this.options.onFailure(failure.error);
      return null;
    }
    this.node = node;
    for (let k = 0; k < context.timerWords; k += 2) this.setTimer(context.timers[k], context.timers[k + 1]);
    const decision = context.decided ? this.decision : null;
    const sent = this.takeSent();
    const taken = draws.length > 0 ? { ...step, draws } : step;
    const { durable, standing } = this;
    this.options.onEffects({ step: taken, sent, decision, durable, standing, beganMs }, cause);
    return null;
  }

  private takeSent(): SentMessage[] {
    const { codec, context, lists } = this.machine;
    const { end, width, words } = context.outbox;
    const sent: SentMessage[] = [];
    for (let base = 0; base < end; base += width) {
      const message = codec.read(words, base, lists) as TracedMessage;
      codec.releaseLists(words, base, lists);
      sent.push({ to: receiverOf(words, base), port: portOf(words, base), message });
    }
    context.outbox.clear();
    return sent;
  }

  private setTimer(timer: number, units: number): void {
    this.timers.get(timer)?.();
    this.timers.delete(timer);
    if (units === NONE) return;
    const cancel = this.options.clock.after(units * this.options.unitMs, () => {
      this.timers.delete(timer);
      const name = this.setup.algorithm.timers?.[timer] ?? '';
      const timers = this.node.timers.with(timer, NONE);
      this.handle(
        { type: 'timer', node: this.at, timer: name },
        () => this.machine.fireTimer(this.at, timer),
        undefined,
        {
          timers,
        },
      );
    });
    this.timers.set(timer, cancel);
  }

  private noTimers(): number[] {
    return (this.setup.algorithm.timers ?? []).map(() => NONE);
  }
}
