/**
 * Plays single steps of a run on the kernel's machine. A step names a message by its text and no lots: so it may have
 * more than one outcome, and all of them are handed over.
 */
import { type Breach, FOLLOWER, LEADER } from '../../kernel/decisions.ts';
import { NONE } from '../../kernel/field.ts';
import { Machine } from '../../kernel/machine/machine.ts';
import { portOf, receiverOf } from '../../kernel/machine/message-buffer.ts';
import { AWAKE, DEAD } from '../../kernel/machine/status.ts';
import type { Setup } from '../../kernel/setup.ts';
import { formatMessage, type TracedMessage, type TraceEvent } from '../../kernel/trace.ts';
import { Invariants } from '../../properties/invariants.ts';
import { judge } from '../../properties/validity.ts';
import { FailureDetector } from '../network/failure-detector.ts';
import { forEachResult } from '../network/random-choices.ts';
import { findTwoLeaders } from '../network/verdicts.ts';
import type { Violation } from '../search/system.ts';
import type { Letter, Scene } from './configuration.ts';
import type { Step } from './step-text.ts';

export interface PlayRules {
  readonly initiators: readonly number[];
  readonly fifo: boolean;
  /** Nothing reaches an initiator before its own start. */
  readonly startFirst: boolean;
  /** Positions that are dead from the beginning. */
  readonly dead: readonly number[];
}

type Change = Partial<Pick<Scene, 'letters' | 'notices' | 'timers' | 'noticed'>>;

export class StagePlay {
  readonly machine: Machine;
  private readonly setup: Setup;
  private readonly rules: PlayRules;
  private readonly invariants: Invariants | null;
  private readonly failureDetector: FailureDetector;

  constructor(setup: Setup, rules: PlayRules) {
    const { algorithm, ids, nodes: n, params, topology, diameter } = setup;
    this.setup = setup;
    this.rules = rules;
    const status = new Uint8Array(topology.n);
    const canStart = Uint8Array.from(status, (_, at) => (rules.initiators.includes(at) ? 1 : 0));
    this.machine = new Machine(algorithm, { n, ids, topology, params, diameter, status, canStart });
    this.invariants = Invariants.of(this.machine);
    this.failureDetector = new FailureDetector(setup, rules.dead);
  }

  /** Before the first step. */
  opening(): Scene {
    const { dead } = this.rules;
    for (const at of dead) this.machine.crash(at);
    const positions = Array.from({ length: this.setup.topology.n }, (_, at) => at);
    return {
      before: null,
      nodes: positions.map((at) => this.machine.save(at)),
      timers: positions.map(() => (this.setup.algorithm.timers ?? []).map(() => NONE)),
      noticed: positions.map(() => NONE),
      led: positions.map(() => []),
      clock: 0,
      letters: [],
      notices: [],
      events: dead.map((node) => ({ type: 'crash', node, time: 0 })),
      violation: null,
    };
  }

  /** Every scene that a step may lead to; none if it cannot be taken. */
  play(scene: Scene, step: Step, time: number): Scene[] {
    const { machine } = this;
    switch (step.type) {
      case 'start':
        return this.start(scene, step.at, time);
      case 'crash':
        return this.crash(scene, step.at, time);
      case 'recover':
        if (!this.isDead(scene, step.at)) return [];
        return this.act(scene, step.at, { type: 'recover', node: step.at, time }, () =>
          machine.restart(step.at),
        );
      case 'tick':
        if (this.setup.algorithm.assumes.timing !== 'bounded-delay') return [];
        return [{ ...this.later(scene), before: scene, events: [], violation: null }];
      case 'round':
        return this.setup.algorithm.assumes.timing === 'synchronous' ? this.round(scene, time) : [];
      case 'timer':
        return this.fire(scene, step.at, step.timer, time);
      case 'notice':
        return this.choices(scene.notices, step).flatMap((letter) => this.notice(scene, letter, time));
      default:
        return this.choices(scene.letters, step).flatMap((letter) =>
          step.type === 'lose'
            ? [this.lose(scene, letter, time, 'link lossy')]
            : this.deliver(scene, letter, time),
        );
    }
  }

  /** As in a search: an initiator that sleeps, or one that finds no coordinator. */
  mayStart(scene: Scene, at: number): boolean {
    if (at >= this.setup.nodes || this.isDead(scene, at)) return false;
    if (this.isAwaited(scene, at)) return true;
    const [status, role, leader, term] = scene.nodes[at];
    const survivor = { awake: (status & AWAKE) !== 0, role, leader, term, noticed: scene.noticed[at] };
    return this.failureDetector.notices(survivor, (other) => this.isDead(scene, other));
  }

  /** An initiator that has yet to start. */
  private isAwaited({ nodes }: Scene, at: number): boolean {
    return this.rules.initiators.includes(at) && (nodes[at][0] & (AWAKE | DEAD)) === 0;
  }

  /** Nothing can happen any more, but for further faults. */
  isEnd(scene: Scene): boolean {
    const { letters, notices, timers, nodes } = scene;
    const mustTerminate =
      letters.length === 0 && notices.length === 0 && timers.flat().every((left) => left === NONE);
    return mustTerminate && !nodes.some((_, at) => this.mayStart(scene, at));
  }

  /** What is wrong with a scene as the end of a run. */
  judgeEnd(scene: Scene): Violation | null {
    this.load(scene);
    const { nodes: n, anonymous, ids } = this.setup;
    return judge(this.machine.decisions, this.machine.status, n, anonymous ? null : ids).fault;
  }

  private isDead({ nodes }: Scene, at: number): boolean {
    return at >= 0 && at < nodes.length && (nodes[at][0] & DEAD) !== 0;
  }

  private start(scene: Scene, at: number, time: number): Scene[] {
    if (!this.mayStart(scene, at)) return [];
    const [, role, , term] = scene.nodes[at];
    const noticed = role === FOLLOWER ? scene.noticed.with(at, term) : scene.noticed;
    const event = { type: 'start', node: at, time } as const;
    return this.act(scene, at, event, () => this.machine.start(at), { noticed });
  }

  /** The same a unit later. */
  private later(scene: Scene): Scene {
    const timers = scene.timers.map((own) => own.map((left) => (left > 0 ? left - 1 : left)));
    return { ...scene, timers, clock: scene.clock + 1 };
  }

  /** All that has arrived, node by node and port by port, and then the timers that are due. */
  private round(scene: Scene, time: number): Scene[] {
    const arrived = scene.letters.toSorted((a, b) => a.to - b.to || a.port - b.port);
    let scenes: Scene[] = [{ ...this.later(scene), letters: [], before: scene, events: [], violation: null }];
    const goOn = (play: (one: Scene) => Scene[]): void => {
      scenes = scenes.flatMap((one) =>
        play(one).map((next) => ({
          ...next,
          before: scene,
          events: [...one.events, ...next.events],
          violation: one.violation ?? next.violation,
        })),
      );
    };
    for (const letter of arrived) goOn((one) => this.deliver(one, letter, time));
    for (const at of scene.nodes.keys()) {
      for (const timer of this.setup.algorithm.timers ?? []) {
        goOn((one) => {
          const index = this.setup.algorithm.timers?.indexOf(timer) as number;
          return one.timers[at][index] === 0 ? this.fire(one, at, timer, time) : [{ ...one, events: [] }];
        });
      }
    }
    return scenes;
  }

  private crash(scene: Scene, at: number, time: number): Scene[] {
    if (at >= scene.nodes.length || this.isDead(scene, at)) return [];
    const timers = scene.timers.map((own, node) => (node === at ? own.map(() => NONE) : own));
    const event = { type: 'crash', node: at, time } as const;
    return this.act(scene, at, event, () => this.machine.crash(at), { timers });
  }

  private fire(scene: Scene, at: number, timer: string, time: number): Scene[] {
    const index = this.setup.algorithm.timers?.indexOf(timer) ?? -1;
    if (at >= scene.nodes.length || index < 0 || scene.timers[at][index] === NONE) return [];
    const timers = scene.timers.map((own, node) => (node === at ? own.with(index, NONE) : own));
    const event = { type: 'timer', node: at, time, timer } as const;
    return this.act(scene, at, event, () => this.machine.fireTimer(at, index), { timers });
  }

  /** The messages that a step may mean: of equal ones at one port the oldest. */
  private choices(letters: readonly Letter[], step: Extract<Step, { message: string }>): Letter[] {
    // What is lost in a round is lost before any of it arrives.
    const fifo =
      this.rules.fifo && !(step.type === 'lose' && this.setup.algorithm.assumes.timing === 'synchronous');
    return letters.filter(({ from, to, port, text }, k) => {
      if (from !== step.from || to !== step.to || text !== step.message) return false;
      const older = letters.slice(0, k).filter((other) => other.to === to && other.port === port);
      return !older.some((other) => fifo || other.text === text);
    });
  }

  private deliver(scene: Scene, letter: Letter, time: number): Scene[] {
    const { from, to, port, sent, words } = letter;
    if (this.isDead(scene, to)) return [this.lose(scene, letter, time, 'receiver dead')];
    if (this.rules.startFirst && this.isAwaited(scene, to)) return [];
    const message = this.read(words, 0);
    const event = { type: 'deliver', node: to, time, from, port, sent, message } as const;
    const letters = scene.letters.filter((other) => other !== letter);
    this.load(scene);
    const starts = this.machine.startsOnMessage(to) ? [{ type: 'start', node: to, time } as const] : [];
    return this.act(scene, to, event, () => this.machine.receive(words, 0), { letters }).map((next) => ({
      ...next,
      events: [...starts, ...next.events],
    }));
  }

  private notice(scene: Scene, letter: Letter, time: number): Scene[] {
    const { from, to, sent, words } = letter;
    const notices = scene.notices.filter((other) => other !== letter);
    if (this.isDead(scene, from)) return [{ ...scene, before: scene, notices, events: [], violation: null }];
    const port = this.setup.topology.backPort(to, letter.port);
    const message = this.read(words, 0);
    const event = { type: 'undelivered', node: from, time, from: to, port, sent, message } as const;
    return this.act(scene, from, event, () => this.machine.undelivered(from, port, words, 0), { notices });
  }

  private lose(scene: Scene, letter: Letter, time: number, reason: 'receiver dead' | 'link lossy'): Scene {
    const { from, to, sent, words } = letter;
    const isTold = reason === 'receiver dead' && this.setup.algorithm.onUndelivered !== undefined;
    return {
      ...scene,
      before: scene,
      letters: scene.letters.filter((other) => other !== letter),
      notices: isTold ? [...scene.notices, letter] : scene.notices,
      events: [{ type: 'lost', node: to, time, from, sent, reason, message: this.read(words, 0) }],
      violation: null,
    };
  }

  /** All that an event can come to. */
  private act(scene: Scene, at: number, event: TraceEvent, handle: () => void, change: Change = {}): Scene[] {
    return forEachResult(this.machine.context, () => this.run(scene, at, event, handle, change));
  }

  private run(scene: Scene, at: number, event: TraceEvent, handle: () => void, change: Change): Scene {
    const { machine } = this;
    const { context, decisions } = machine;
    const changed = { ...scene, ...change, before: scene };
    this.load(scene);
    context.clear();
    context.outbox.clear();
    context.clock = scene.clock;
    try {
      handle();
    } catch (error) {
      const text = `node ${at}: ${error instanceof Error ? error.message : String(error)}`;
      return { ...changed, events: [event], violation: { property: 'handler', text } };
    }
    const sent = this.takeSent(at, event.time);
    const timers = changed.timers.map((own) => [...own]);
    for (let k = 0; k < context.timers.length; k += 2) {
      timers[at][context.timers[k]] = context.timers[k + 1];
    }
    const { breach, roles, terms } = decisions;
    const isNew = roles[at] === LEADER && !scene.led[at].includes(terms[at]);
    const led = isNew ? scene.led.with(at, [...scene.led[at], terms[at]]) : scene.led;
    const decided = context.decided ? [this.decision(at, event.time)] : [];
    return {
      ...changed,
      nodes: scene.nodes.with(at, machine.save(at)),
      timers,
      led,
      letters: [...changed.letters, ...sent.map(({ letter }) => letter)],
      events: [event, ...sent.map(({ event: sending }) => sending), ...decided],
      violation: this.brokenBy(led, breach),
    };
  }

  /** As in a search: what the node itself did first, then what it means beside the others. */
  private brokenBy(led: Scene['led'], breach: Breach | null): Violation | null {
    const own = breach && { property: breach.property, text: `node ${breach.at} ${breach.text}` };
    if (own?.property === 'agreement') return own;
    return findTwoLeaders(led.length, (at) => led[at]) ?? own ?? this.invariants?.broken() ?? null;
  }

  private load({ nodes }: Scene): void {
    for (const [at, record] of nodes.entries()) this.machine.load(at, record);
    this.machine.decisions.breach = null;
  }

  private takeSent(from: number, time: number): { letter: Letter; event: TraceEvent }[] {
    const { outbox } = this.machine.context;
    const taken: { letter: Letter; event: TraceEvent }[] = [];
    for (let base = 0; base < outbox.end; base += outbox.width) {
      const words = outbox.words.slice(base, base + outbox.width);
      const [to, port] = [receiverOf(words, 0), portOf(words, 0)];
      const message = this.read(words, 0);
      const back = this.setup.topology.backPort(to, port);
      taken.push({
        letter: { from, to, port, sent: time, words, text: formatMessage(message) },
        event: { type: 'send', node: from, time, to, port: back, message },
      });
    }
    outbox.clear();
    return taken;
  }

  private decision(node: number, time: number): TraceEvent {
    const { roles, leaders, terms } = this.machine.decisions;
    const role = roles[node] === LEADER ? 'leader' : 'follower';
    const leader = leaders[node] === NONE ? null : leaders[node];
    return { type: 'decide', node, time, role, leader, term: terms[node] };
  }

  private read(words: Int32Array, base: number): TracedMessage {
    return this.machine.codec.read(words, base, this.machine.lists) as TracedMessage;
  }
}
