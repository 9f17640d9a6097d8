/**
 * The context that handlers see. It records the effects of a handler, and the driver applies them after the handler has
 * returned. If a handler throws, the driver clears the outbox and restores the node, so nothing is sent.
 *
 * Guarantees: every driver refuses the same mistakes with the same errors.
 */
import { suggestion } from '@hustings/base';
import type { AnyAlgorithm } from '../algorithm.ts';
import type { Role } from '../context.ts';
import { type DecisionBook, FOLLOWER, LEADER } from '../decisions.ts';
import { ProtocolError } from '../errors.ts';
import { MAX_WORD, NONE } from '../field.ts';
import type { Topology } from '../network/topology.ts';
import type { Setting } from '../params.ts';
import { CustomCounters } from './custom-counters.ts';
import type { ListTable } from './list-table.ts';
import { address, MAX_TYPES, MessageBuffer, RECORD_HEADER } from './message-buffer.ts';
import type { MessageCodec } from './message-codec.ts';
import { type Cursor, refusing } from './record-layout.ts';
import { STARTED } from './status.ts';

const TYPE_MASK = MAX_TYPES - 1;
/** The largest k of random(k). */
const MAX_DRAW = Number.MAX_SAFE_INTEGER;
const NO_IDS = new Int32Array(0);

/** The run as the driver describes it to the context. */
export interface Environment {
  readonly n: number;
  readonly ids: Int32Array;
  readonly topology: Topology;
  readonly params: Readonly<Record<string, Setting>>;
  readonly diameter: number;
  readonly status: Uint8Array;
  /**
   * By position: 1 for initiators. Used only if the algorithm has `startOnMessage`; a driver may change it between events.
   */
  readonly canStart?: Uint8Array;
}

/** The context that handlers see. It records effects, and the driver applies them. */
export class NodeContext {
  /** The node whose handler runs. */
  at = 0;
  /** Units since the start of the run. */
  clock = 0;
  /** The draws of the run: a whole number 1..k. */
  draw: (k: number) => number = () => {
    throw new ProtocolError('this driver has no random numbers');
  };

  /**
   * The buffer for sent messages, provided and emptied by the driver. It may hold messages of earlier handlers.
   */
  outbox: MessageBuffer;
  /** Every node has started by itself, so the status need not be checked. */
  allStarted = false;
  /** Pairs of a timer's index and its units; NONE clears the timer. Only the first `timerWords` entries are valid. */
  readonly timers: number[] = [];
  timerWords = 0;
  decided = false;
  /** The decisions of the last handler, each as a role, a leader and a term. Null if the driver does not report them. */
  decisionLog: number[] | null = null;
  /** The figures of the algorithm's own measures. */
  readonly customCounters: CustomCounters;

  /** The handler has set timers or decided. */
  hasEffects = false;

  readonly params: Readonly<Record<string, Setting>>;
  private readonly width: number;
  /** Records may have more than one field, or a list. */
  private readonly hasMore: boolean;
  private readonly knowsIds: boolean;
  private readonly knowsN: boolean;
  private readonly knowsTime: boolean;
  private readonly knowsNeighbours: boolean;
  private readonly ids: Int32Array;
  /** Empty if nodes do not know ids. */
  private readonly knownIds: Int32Array;
  private readonly status: Uint8Array;
  /** 1 on a one-way ring, where port 0 only receives. */
  private readonly minPort: number;
  /** 0 if the network is not a ring. */
  private readonly ringSize: number;
  private readonly topology: Topology;
  private readonly timerNames: readonly string[];

  constructor(
    private readonly algorithm: AnyAlgorithm,
    protected readonly codec: MessageCodec,
    /** The current message; its base is negative if there is none. */
    private readonly current: Cursor,
    private readonly limits: Int32Array,
    private readonly lists: ListTable,
    private readonly decisions: DecisionBook,
    private readonly environment: Environment,
  ) {
    this.width = codec.width;
    this.hasMore = codec.layout.width > 1 || codec.layout.lists.length > 0;
    this.knowsIds = algorithm.assumes.ids === 'unique';
    const knows: readonly string[] = algorithm.assumes.knows ?? [];
    this.knowsN = knows.includes('n');
    this.knowsTime = knows.includes('time');
    this.knowsNeighbours = knows.includes('neighbours');
    this.ids = idsOfAll(environment);
    this.knownIds = this.knowsIds ? this.ids : NO_IDS;
    this.status = environment.status;
    this.ringSize = environment.topology.kind === 'ring' ? environment.topology.n : 0;
    this.minPort = environment.topology.oneWay ? 1 : 0;
    this.topology = environment.topology;
    this.timerNames = algorithm.timers ?? [];
    this.customCounters = new CustomCounters(algorithm.measures ?? {});
    this.params = environment.params;
    this.outbox = new MessageBuffer(codec.width);
  }

  // The getters are small enough for V8 to inline them always: see accessor() in record-layout.ts.

  get id(): number {
    return this.knownIds[this.at] ?? this.refuseIds();
  }

  get n(): number {
    if (!this.knowsN) this.refuseN();
    return this.environment.n;
  }

  get diameter(): number {
    if (!this.algorithm.assumes.knows?.includes('diameter')) {
      this.refuseUnknown('the diameter', "knows: ['diameter']");
    }
    return this.environment.diameter;
  }

  get now(): number {
    if (!this.knowsTime) this.refuseUnknown('a clock', "knows: ['time']");
    return this.clock;
  }

  get initiator(): boolean {
    return this.allStarted || (this.status[this.at] & STARTED) !== 0;
  }

  get degree(): number {
    return this.topology.degree(this.at);
  }

  /** The label of a port. */
  label(port: number): string {
    this.checkPort(port);
    return this.topology.label(this.at, port);
  }

  /** The id behind a port, if the algorithm assumes to know it. */
  neighbour(port: number): number {
    if (!this.knowsNeighbours) this.refuseUnknown("its neighbours' ids", "knows: ['neighbours']");
    this.checkPort(port);
    return this.ids[this.topology.neighbour(this.at, port)];
  }

  /** Takes FEW_FIELDS fields; an algorithm with more has a WideContext. */
  send(port: number, type: string, a?: unknown, b?: unknown, c?: unknown, d?: unknown, e?: unknown): void {
    const { codec } = this;
    const index = codec.indexOf(type);
    const slots = this.post(port, index) + RECORD_HEADER;
    const first = codec.firstPlace[index];
    const arity = codec.arity[index];
    // biome-ignore lint/complexity/noArguments: V8 knows the number at each call; rest parameters would be an array
    if (arguments.length !== arity + 2) codec.refuseArity(index, arguments.length - 2);
    if (arity > 0) this.put(slots, first, a);
    if (arity > 1) this.put(slots, first + 1, b);
    if (arity > 2) this.put(slots, first + 2, c);
    if (arity > 3) this.put(slots, first + 3, d);
    if (arity > 4) this.put(slots, first + 4, e);
  }

  /** Sends the current message on, unchanged. */
  forward(port: number): void {
    const from = this.current.base;
    const { words } = this.current;
    if (from < 0) throw new ProtocolError('forward() needs a current message: use send() here');
    const to = this.post(port, words[from + 1] & TYPE_MASK);
    const out = this.outbox.words;
    out[to + RECORD_HEADER] = words[from + RECORD_HEADER];
    if (this.hasMore) this.copyMore(words, from, to);
  }

  /** Starts or restarts a timer. */
  setTimer(name: string, units: number): void {
    if (!(units > 0 && Number.isFinite(units))) {
      throw new ProtocolError(`setTimer() takes a positive number of units, not ${units}`);
    }
    this.noteTimer(name, units);
  }

  /** Stops a timer. */
  clearTimer(name: string): void {
    this.noteTimer(name, NONE);
  }

  /** A random whole number from 1 to k. */
  random(k: number): number {
    if (!Number.isInteger(k) || k < 1 || k > MAX_DRAW) {
      throw new ProtocolError(`random(k) takes a whole number from 1 to ${MAX_DRAW}, not ${k}`);
    }
    return this.draw(k);
  }

  /** Reports a figure of an own measure. */
  measure(name: string, figure = 1): void {
    this.customCounters.report(name, figure);
  }

  /** Records the decision of this node. */
  decide(role: Role, leader?: number, term?: number): void {
    const follows = role === 'follower';
    const named = leader === undefined ? (follows ? NONE : this.name()) : leader;
    const inTerm = term === undefined ? 0 : term;
    const isNamed =
      (named >= 0 || !this.knowsIds) && (follows || (role === 'leader' && named === this.name()));
    if (!isNamed || (named | 0) !== named || (inTerm | 0) !== inTerm || inTerm < 0) {
      this.refuseDecision(role, named, inTerm);
    }
    const code = follows ? FOLLOWER : LEADER;
    this.decisions.record(this.at, code, named, inTerm, this.clock);
    this.decisionLog?.push(code, named, inTerm);
    this.decided = true;
    this.hasEffects = true;
  }

  /** Clears the effects of the last handler, except its messages. */
  clear(): void {
    this.hasEffects = false;
    this.decided = false;
    if (this.decisionLog !== null) this.decisionLog.length = 0;
    this.timerWords = 0;
  }

  /** Adds an addressed record to the outbox, and returns its offset. */
  protected post(port: number, type: number): number {
    const { outbox } = this;
    const base = outbox.push();
    if (port === 1 && this.ringSize > 0) {
      // The most common case, clockwise on a ring, without a call.
      const next = this.at + 1;
      outbox.words[base] = next === this.ringSize ? 0 : next;
      outbox.words[base + 1] = type;
    } else this.route(base, port, type);
    return base;
  }

  private copyMore(words: Int32Array, from: number, to: number): void {
    const out = this.outbox.words;
    for (let word = RECORD_HEADER + 1; word < this.width; word++) out[to + word] = words[from + word];
    this.codec.ownLists(out, to, this.lists);
  }

  private route(base: number, port: number, type: number): void {
    const { at, topology } = this;
    if ((port | 0) !== port || port < this.minPort || port >= topology.degree(at)) this.refusePort(port);
    address(this.outbox.words, base, topology.neighbour(at, port), topology.backPort(at, port), type);
  }

  protected put(slots: number, place: number, value: unknown): void {
    const { codec } = this;
    const at = codec.slots[place];
    const word = value as number;
    // Ids and counters in range, the most common values, need no encoding.
    if ((word | 0) === word && word <= this.limits[place] && word >= codec.least[place]) {
      this.outbox.words[slots + at] = word;
    } else this.outbox.words[slots + at] = codec.encode(place, value, this.limits, this.lists);
  }

  /** The id by which other nodes name this one. */
  private name(): number {
    return this.knowsIds ? this.ids[this.at] : NONE;
  }

  private refuseDecision(role: Role, named: number, term: number): never {
    if ((term | 0) !== term || term < 0) {
      throw new ProtocolError(`a term must be a whole number from 0 to ${MAX_WORD}, not ${term}`);
    }
    if (role === 'leader' && this.name() === NONE) {
      throw new ProtocolError('an auxiliary process cannot lead');
    }
    if (role === 'leader') throw new ProtocolError(`a leader must name itself, not ${named}`);
    if (role === 'follower')
      throw new ProtocolError("a follower must name its leader: decide('follower', id)");
    throw new ProtocolError(`a role must be 'leader' or 'follower', not '${String(role)}'`);
  }

  private refusePort(port: number): never {
    if (port === 0 && this.minPort === 1) {
      throw new ProtocolError('port must be 1 on a one-way ring: port 0 only receives');
    }
    throw new ProtocolError(`port must be from 0 to ${this.degree - 1} here, not ${port}`);
  }

  private checkPort(port: number): void {
    if ((port | 0) !== port || port < 0 || port >= this.degree) this.refusePort(port);
  }

  private noteTimer(name: string, units: number): void {
    const index = this.timerIndex(name);
    // Overwriting is cheaper than emptying the array for every handler.
    this.timers[this.timerWords++] = index;
    this.timers[this.timerWords++] = units;
    this.hasEffects = true;
  }

  /** A linear search, which is faster than a call of indexOf(). */
  private timerIndex(name: string): number {
    const { timerNames } = this;
    for (let index = 0; index < timerNames.length; index++) if (timerNames[index] === name) return index;
    throw new ProtocolError(
      `timer '${name}' must be declared in timers${suggestion(String(name), timerNames)}`,
    );
  }

  private refuseIds(): never {
    this.refuseUnknown('ids', "ids: 'unique'");
  }

  private refuseN(): never {
    this.refuseUnknown('the size n', "knows: ['n']");
  }

  private refuseUnknown(what: string, declaration: string): never {
    throw new ProtocolError(
      `${this.algorithm.name} does not assume that a node knows ${what}: declare ${declaration}`,
    );
  }
}

/** What handlers may use. */
const CONTEXT = [
  ...['id', 'n', 'diameter', 'now', 'params', 'initiator', 'degree', 'label', 'neighbour', 'send', 'forward'],
  ...['setTimer', 'clearTimer', 'random', 'measure', 'decide'],
];

// A handler that reads `ctx.size` would see undefined, and compare with it.
Object.setPrototypeOf(
  NodeContext.prototype,
  refusing((name) => `ctx has no '${name}': it has ${CONTEXT.join(', ')}${suggestion(name, CONTEXT)}`),
);

/** By position; NONE at auxiliary processes. */
function idsOfAll({ ids, topology }: Environment): Int32Array {
  if (ids.length >= topology.n) return ids;
  const all = new Int32Array(topology.n).fill(NONE);
  all.set(ids);
  return all;
}
