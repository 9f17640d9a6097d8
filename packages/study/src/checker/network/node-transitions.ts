/**
 * The transitions of single nodes, cached. A handler is a function of the state of its node, the event and the random draws: it
 * runs once for each combination, and the result is reused in every state of the network with that combination. States of
 * nodes and messages are interned.
 */
import { errorMessage } from '@hustings/base';
import { InputError } from '../../kernel/errors.ts';
import { NONE } from '../../kernel/field.ts';
import type { NetworkMessage } from '../../kernel/invariant.ts';
import type { Machine } from '../../kernel/machine/machine.ts';
import { address, portOf, RECORD_HEADER, receiverOf, typeOf } from '../../kernel/machine/message-buffer.ts';
import { AWAKE, DEAD } from '../../kernel/machine/status.ts';
import { termToStartFor } from '../../kernel/world/failure-detector.ts';
import {
  type NodeOutcome,
  type NodeSnapshot,
  runHandler,
  withoutLengths,
} from '../../kernel/world/node-step.ts';
import { DrawSequences, forEachSequence } from '../../kernel/world/random-outcomes.ts';
import type { InvariantMonitor } from '../../properties/invariants.ts';
import type { Violation } from '../search/system.ts';
import { type Bounds, boundWords } from './bounded-counters.ts';
import { Interner } from './interner.ts';
import {
  distinctTransitions,
  isSameTransition,
  type NodeTransition,
  type StepCache,
} from './node-transition.ts';
import { SnapshotIndex } from './snapshot-index.ts';
import { stepNumber, TIMER } from './step-number.ts';

/** The state of a node, with its most frequently used parts decoded. */
export interface NodeState extends NodeSnapshot {
  readonly awake: boolean;
  readonly dead: boolean;
  /** UNDECIDED, LEADER or FOLLOWER. */
  readonly role: number;
  /** The id that the node named, or NONE; valid only if it has decided. */
  readonly leader: number;
  readonly term: number;
  /** A counter exceeds its bound. */
  readonly exceedsBound: boolean;
}

const NO_STEPS: readonly number[] = [];

export class NodeTransitions {
  /** By position. */
  readonly states: readonly Interner<NodeState>[];
  readonly messages: Interner<Int32Array> = new Interner('different messages');

  private readonly draws = new DrawSequences();
  /** The record of the message that is being delivered. */
  private readonly delivered: Int32Array;
  /** By position. */
  private readonly knownStates: readonly SnapshotIndex[];
  /** The numbers of messages by their words, which are read faster than the key of a message. */
  private readonly knownMessages = new Map<string, number>();
  private readonly linkOf: (to: number, port: number) => number;
  private readonly stopped: readonly number[];
  /** A running timer may fire at any step, so its length is no part of a state. */
  private readonly ignoresLengths: boolean;
  /** Pairs of a word of a state and its largest value. */
  private readonly bounds: readonly (readonly [word: number, most: number])[];

  constructor(
    readonly machine: Machine,
    linkOf: (to: number, port: number) => number,
    bounds: Bounds,
    private readonly invariants: InvariantMonitor | null,
  ) {
    this.linkOf = linkOf;
    this.delivered = new Int32Array(machine.codec.width);
    this.bounds = boundWords(machine.algorithm, bounds);
    const positions = { length: machine.status.length };
    this.states = Array.from(positions, (_, at) => new Interner<NodeState>(`states of node ${at}`));
    this.knownStates = this.states.map(({ all }) => new SnapshotIndex(all));
    this.ignoresLengths = machine.algorithm.assumes.timing === 'asynchronous';
    this.stopped = (machine.algorithm.timers ?? []).map(() => NONE);
  }

  /** The number of the current state of a node in the machine, with stopped timers. */
  stateNow(at: number): number {
    return this.number(at, {
      record: this.machine.save(at),
      timers: this.stopped,
      startedFor: NONE,
      led: [],
    });
  }

  /** The numbers of other threads, and of a search that is resumed: as `Interner.keys` has them. */
  importState(at: number, key: string): void {
    const [record, timers, [startedFor], led] = key.split(';').map(numbersIn);
    this.states[at].add(key, () => this.makeState(at, { record, timers, startedFor, led }));
  }

  importMessage(key: string): void {
    const { codec, lists, messageLimits } = this.machine;
    this.messages.add(key, () => {
      const words = new Int32Array(codec.width);
      address(words, 0, 0, 0, codec.write(JSON.parse(key), words, 0, messageLimits, lists));
      return words;
    });
  }

  /** The fields of a message by name. */
  readMessage(message: number): NetworkMessage['message'] {
    const { codec, lists } = this.machine;
    return codec.read(this.messages.all[message], 0, lists) as NetworkMessage['message'];
  }

  start(cache: StepCache, at: number, state: number): readonly NodeTransition[] {
    const known = cache.get(state);
    if (known !== undefined) return known;
    const { role, term } = this.states[at].all[state];
    const change = { startedFor: termToStartFor(this.machine.algorithm, role, term) };
    return this.compute(cache, 0, at, state, () => this.machine.start(at), 'onStart', change);
  }

  deliver(
    cache: StepCache,
    at: number,
    port: number,
    state: number,
    message: number,
  ): readonly NodeTransition[] {
    const known = cache.get(state, message);
    if (known !== undefined) return known;
    const handle = (): void => {
      const words = this.delivered;
      words.set(this.messages.all[message]);
      address(words, 0, at, port, typeOf(words, 0));
      this.machine.receive(words, 0);
    };
    const type = typeOf(this.messages.all[message], 0);
    return this.compute(cache, message, at, state, handle, `on.${this.machine.codec.types[type]}`);
  }

  undelivered(
    cache: StepCache,
    at: number,
    port: number,
    state: number,
    message: number,
  ): readonly NodeTransition[] {
    const known = cache.get(state, message);
    if (known !== undefined) return known;
    const handle = (): void =>
      this.machine.undelivered(at, port, Int32Array.from(this.messages.all[message]), 0);
    return this.compute(cache, message, at, state, handle, 'onUndelivered');
  }

  fire(cache: StepCache, at: number, timer: number, state: number): readonly NodeTransition[] {
    const known = cache.get(state);
    if (known !== undefined) return known;
    const timers = this.states[at].all[state].timers.with(timer, NONE);
    return this.compute(cache, 0, at, state, () => this.machine.fireTimer(at, timer), 'onTimer', { timers });
  }

  crash(cache: StepCache, at: number, state: number): readonly NodeTransition[] {
    const change = { timers: this.stopped, startedFor: NONE };
    const handle = (): void => this.machine.crash(at);
    return cache.get(state) ?? this.compute(cache, 0, at, state, handle, 'a crash', change);
  }

  recover(cache: StepCache, at: number, state: number): readonly NodeTransition[] {
    const handle = (): void => this.machine.restart(at);
    return cache.get(state) ?? this.compute(cache, 0, at, state, handle, 'onRestart');
  }

  /** One unit of time passes. */
  tick(cache: StepCache, at: number, state: number): number {
    const known = cache.get(state);
    if (known !== undefined) return known[0].state;
    const { record, timers, startedFor, led } = this.states[at].all[state];
    this.machine.load(at, record);
    const left = timers.map((units) => (units === NONE ? NONE : units - 1));
    const after = this.number(at, { record, timers: left, startedFor, led });
    cache.set(state, 0, [{ state: after, sent: [], violation: null, restarted: NO_STEPS }]);
    return after;
  }

  /** Loads a whole network into the machine. */
  load(state: ArrayLike<number>): void {
    for (let at = 0; at < this.states.length; at++)
      this.machine.load(at, this.states[at].all[state[at]].record);
    this.machine.decisions.breach = null;
  }

  /** Runs a handler for every sequence of random draws: twice, because all results are kept and must be those of every call. */
  private compute(
    cache: StepCache,
    message: number,
    at: number,
    state: number,
    handle: () => void,
    handler: string,
    change?: Partial<NodeSnapshot>,
  ): readonly NodeTransition[] {
    this.machine.context.draw = this.draws.draw;
    const outcomes = forEachSequence((draws) => {
      const outcome = this.run(at, state, handle, change);
      draws.rewind();
      if (!isSameTransition(outcome, this.run(at, state, handle, change))) this.refuseImpure(handler, at);
      return outcome;
    }, this.draws);
    // Draws of lengths that are no part of a state give equal transitions.
    const steps = this.ignoresLengths && this.stopped.length > 0 ? distinctTransitions(outcomes) : outcomes;
    cache.set(state, message, steps);
    return steps;
  }

  private run(at: number, state: number, handle: () => void, change?: Partial<NodeSnapshot>): NodeTransition {
    const before = this.states[at].all[state];
    this.machine.load(at, before.record);
    const outcome = runHandler(this.machine, at, before, handle, change);
    const timers = this.ignoresLengths ? withoutLengths(outcome.node.timers) : outcome.node.timers;
    const violation = handlerViolation(at, outcome);
    if (outcome.failure !== null) return { state, sent: [], violation, restarted: NO_STEPS };
    this.refuseFractions();
    const violated = violation ?? this.invariants?.violatedByStep(at, before.record) ?? null;
    const restarted = this.restarted(at, change?.timers ?? before.timers, timers);
    return {
      state: this.number(at, { ...outcome.node, timers }),
      sent: this.takeSent(),
      violation: violated,
      restarted,
    };
  }

  private refuseImpure(handler: string, at: number): never {
    throw new InputError(
      `${handler} of ${this.machine.algorithm.name} must be a function of the node's state, the event and its random draws: called ` +
        `twice at node ${at}, it gave two results; keep everything in the declared state, and draw with ctx.random`,
    );
  }

  /** Where time passes unit by unit, a timer that is due between two units would never fire. */
  private refuseFractions(): void {
    const { algorithm, context } = this.machine;
    if (context.timerWords === 0 || algorithm.assumes.timing === 'asynchronous') return;
    for (let k = 0; k < context.timerWords; k += 2) {
      const units = context.timers[k + 1];
      if (Number.isInteger(units)) continue;
      const timer = algorithm.timers?.[context.timers[k]];
      throw new InputError(
        `timer '${timer}' of ${algorithm.name} must be set to whole units in a search, not ${units}: a search counts time in ` +
          'units, so take a smaller unit',
      );
    }
  }

  /** A timer that is set to the value that it has is not seen in the state of the node. */
  private restarted(at: number, before: readonly number[], after: readonly number[]): readonly number[] {
    const { timerWords, timers } = this.machine.context;
    if (timerWords === 0) return NO_STEPS;
    return before.flatMap((left, timer) => {
      if (left === NONE || after[timer] === NONE) return [];
      for (let k = 0; k < timerWords; k += 2) {
        if (timers[k] === timer) return [stepNumber(TIMER, at * before.length + timer)];
      }
      return [];
    });
  }

  private takeSent(): number[] {
    const { outbox } = this.machine.context;
    const { words, end, width } = outbox;
    const sent: number[] = [];
    for (let base = 0; base < end; base += width) {
      const link = this.linkOf(receiverOf(words, base), portOf(words, base));
      sent.push(link, this.messageNumber(words, base));
    }
    outbox.clear();
    return sent;
  }

  /** Unused slots may have any value, so the key has only the slots of the type. */
  private messageNumber(words: Int32Array, base: number): number {
    const { codec, lists } = this.machine;
    const ownWords = codec.layout.lists.length === 0 ? this.ownWords(words, base) : null;
    const known = ownWords === null ? undefined : this.knownMessages.get(ownWords);
    if (known !== undefined) return known;
    const key = JSON.stringify(codec.read(words, base, lists));
    const number = this.messages.of(key, () => words.slice(base, base + codec.width));
    if (ownWords !== null) this.knownMessages.set(ownWords, number);
    return number;
  }

  /** The type of a message without lists, and the words of its fields. */
  private ownWords(words: Int32Array, base: number): string {
    const type = typeOf(words, base);
    const slots = this.machine.codec.slotsOf(type);
    let text = String(type);
    for (let k = 0; k < slots.length; k++) text += `,${words[base + RECORD_HEADER + slots[k]]}`;
    return text;
  }

  private number(at: number, node: NodeSnapshot): number {
    const known = this.knownStates[at].find(node);
    if (known !== undefined) return known;
    const { led, record, startedFor, timers } = node;
    const key = `${record.join()};${timers.join()};${startedFor};${led.join()}`;
    const number = this.states[at].of(key, () => this.makeState(at, node));
    this.knownStates[at].add(node, number);
    return number;
  }

  private makeState(at: number, { led, record, startedFor, timers }: NodeSnapshot): NodeState {
    const { machine } = this;
    const [status, role, leader, term] = record;
    const words = at * machine.layout.width;
    machine.load(at, record);
    // One literal, no spread: all states share a hidden class, and the search reads them millions of times.
    return {
      record,
      timers,
      startedFor,
      led,
      awake: (status & AWAKE) !== 0,
      dead: (status & DEAD) !== 0,
      role,
      leader,
      term,
      exceedsBound: this.bounds.some(([word, most]) => machine.words[words + word] > most),
    };
  }
}

function numbersIn(list: string): number[] {
  return list === '' ? [] : list.split(',').map(Number);
}

/** The violation of the node itself. Uniqueness is checked in the state of the network. */
export function handlerViolation(
  at: number,
  { breach, failure }: Omit<NodeOutcome, 'node'>,
): Violation | null {
  if (failure === null) return breach && { property: breach.property, text: `node ${at} ${breach.text}` };
  const { error } = failure;
  return {
    property: 'handler',
    text: `node ${at}: ${errorMessage(error)}`,
  };
}
