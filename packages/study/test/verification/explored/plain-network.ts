/**
 * The transition system of an automaton on a network, written a second time and as plainly as possible: states are plain values,
 * compared by their text, and nothing is cached or left out. It shares no code with the model checker, and none with the worlds
 * of the kernel.
 */
import { Topology } from '../../../src/kernel/index.ts';
import type { Automaton, Event, Message } from './automaton.ts';
import { ASLEEP, crashed, NEVER, type Outcome, outcomesOf, type PlainNode, STOPPED } from './plain-node.ts';

export interface PlainOptions {
  readonly initiators: readonly number[];
  readonly starts: 'free' | 'first' | 'together';
  readonly fifo: boolean;
  readonly crashes: number;
  readonly recoveries: number;
  readonly losses: number;
  readonly delay: number;
  readonly suspect: boolean;
}

/** Units after which a sender is notified. */
const TIMEOUT = 2;

interface Flying {
  readonly message: Message;
  /** Units since it was sent; always 0 where time is no part of a state. */
  readonly age: number;
}

export interface PlainState {
  readonly nodes: readonly PlainNode[];
  /** By link: the oldest first on a FIFO link, otherwise sorted. */
  readonly links: readonly (readonly Flying[])[];
  readonly notices: readonly (readonly Flying[])[];
  readonly crashes: number;
  readonly recoveries: number;
  readonly losses: number;
  /** Bounded delay: a timer or a notice has come in this unit, so no message arrives until the next. */
  readonly isLate: boolean;
  readonly round: number;
}

export interface PlainStep {
  /** Equal for the outcomes of the draws of one step. */
  readonly label: string;
  readonly isOptional: boolean;
  readonly isBreach: boolean;
  readonly to: PlainState;
  /** The bell was running and was set again: a step that was interrupted. */
  readonly restarted: string | null;
}

interface Link {
  readonly from: number;
  readonly fromPort: number;
  readonly to: number;
  readonly toPort: number;
}

export class PlainNetwork {
  readonly #automaton: Automaton;
  readonly #options: PlainOptions;
  readonly #topology: Topology;
  /** Ordered by receiver and port. */
  readonly #links: readonly Link[];
  readonly #hasNotices: boolean;

  constructor(automaton: Automaton, options: PlainOptions) {
    const { ids, network } = automaton;
    this.#automaton = automaton;
    this.#options = options;
    this.#topology =
      network === 'complete'
        ? Topology.complete(Int32Array.from(ids))
        : Topology.ring(ids.length, { oneWay: network === 'one-way ring' });
    const topology = this.#topology;
    this.#links = ids.flatMap((_, to) =>
      Array.from({ length: network === 'one-way ring' ? 1 : topology.degree(to) }, (_port, toPort) => {
        return { to, toPort, from: topology.neighbour(to, toPort), fromPort: topology.backPort(to, toPort) };
      }),
    );
    this.#hasNotices = automaton.isTold && options.crashes > 0;
  }

  initials(): PlainStep[] {
    const { crashes, initiators, losses, recoveries, starts } = this.#options;
    const empty = this.#links.map(() => []);
    const nodes = this.#automaton.ids.map(() => ASLEEP);
    const first = {
      nodes,
      links: empty,
      notices: empty,
      crashes,
      recoveries,
      losses,
      isLate: false,
      round: 0,
    };
    let initials = [this.#step('', false, first)];
    for (const at of starts === 'together' ? [...initiators].sort((a, b) => a - b) : []) {
      initials = initials.flatMap((one) =>
        this.#started(one.to, at, 'START').map((next) => merged(one, next)),
      );
    }
    return initials;
  }

  stepsOf(state: PlainState): PlainStep[] {
    const { timing } = this.#automaton;
    if (timing === 'synchronous') return this.#synchronous(state);
    return timing === 'asynchronous' ? this.#asynchronous(state) : this.#boundedDelay(state);
  }

  #asynchronous(state: PlainState): PlainStep[] {
    const at = [...state.nodes.keys()];
    const links = [...this.#links.keys()];
    return [
      ...at.flatMap((node) => [
        ...this.#starts(state, node),
        ...(state.nodes[node].bell === STOPPED ? [] : this.#rings(state, node)),
        ...this.#faults(state, node),
      ]),
      ...links.flatMap((link) => [...this.#arrivals(state, link), ...this.#tellings(state, link)]),
    ];
  }

  #boundedDelay(state: PlainState): PlainStep[] {
    const { delay, suspect } = this.#options;
    const steps: PlainStep[] = [];
    if (!state.isLate) {
      for (const at of state.nodes.keys()) steps.push(...this.#starts(state, at), ...this.#faults(state, at));
      for (const link of this.#links.keys()) steps.push(...this.#arrivals(state, link));
    }
    if (state.links.some((flying) => flying.some(({ age }) => age >= delay))) return steps;
    let mustWait = false;
    for (const [at, { bell }] of state.nodes.entries()) {
      const isTold = this.#links.some(
        ({ from }, link) => from === at && state.notices[link].some(({ age }) => age >= TIMEOUT),
      );
      const isDue = bell === 0 || isTold;
      mustWait ||= isDue;
      if (!isDue && !suspect) continue;
      const due = bell === 0 || (suspect && bell !== STOPPED) ? this.#rings(state, at) : [];
      for (const [link, { from }] of this.#links.entries())
        if (from === at) due.push(...this.#tellings(state, link));
      steps.push(...due.map((step) => ({ ...step, to: { ...step.to, isLate: isPending(step.to) } })));
    }
    if (!mustWait && isPending(state)) steps.push(this.#step('TICK', false, later(state)));
    return steps;
  }

  #synchronous(state: PlainState): PlainStep[] {
    const lost = state.links.flatMap((flying, link) =>
      state.losses === 0 ? [] : distinct(flying).map((one) => this.#loss(state, link, one)),
    );
    const steps = [...lost, ...[...state.nodes.keys()].flatMap((at) => this.#faults(state, at))];
    return isPending(state) ? [...steps, ...this.#rounds(state)] : steps;
  }

  /** All that is in flight arrives, by receiver and port; then the due timers ring. */
  #rounds(state: PlainState): PlainStep[] {
    const ticked = later({ ...state, links: this.#links.map(() => []) });
    const begun = { ...ticked, round: this.#automaton.timing === 'synchronous' ? state.round + 1 : 0 };
    let ends = [this.#step('ROUND', false, begun)];
    for (const [link, { to, toPort }] of this.#links.entries()) {
      for (const { message } of state.links[link]) {
        ends = ends.flatMap((one) => {
          if (one.to.nodes[to].dead) return [one];
          return this.#received(one.to, to, toPort, message, 'ROUND').map((next) => merged(one, next));
        });
      }
    }
    for (const at of state.nodes.keys()) {
      ends = ends.flatMap((one) =>
        one.to.nodes[at].bell === 0 ? this.#rings(one.to, at).map((next) => merged(one, next)) : [one],
      );
    }
    return ends.map((one) => ({ ...one, label: 'ROUND' }));
  }

  #starts(state: PlainState, at: number): PlainStep[] {
    const node = state.nodes[at];
    const isAwaited = this.#isAwaited(state, at);
    if (node.dead || (!isAwaited && !this.#missesCoordinator(state, at))) return [];
    const wanted = termToStartFor(node);
    const isOptional = !isAwaited && state.nodes.some(({ startedFor }) => startedFor >= wanted);
    return this.#started(state, at, isOptional ? 'SUSPECT' : 'START').map((step) => ({
      ...step,
      isOptional,
    }));
  }

  #isAwaited({ nodes }: PlainState, at: number): boolean {
    return this.#options.initiators.includes(at) && !nodes[at].awake && !nodes[at].dead;
  }

  /** A node that is asleep misses any dead node, a follower its leader, for each term once. */
  #missesCoordinator({ nodes }: PlainState, at: number): boolean {
    if (this.#automaton.trigger === 'start') return false;
    const { awake, decision, startedFor } = nodes[at];
    if (!awake) return nodes.some(({ dead }) => dead);
    if (decision === null || decision.leads || startedFor > decision.term) return false;
    const leader = this.#automaton.ids.indexOf(decision.leader);
    return leader >= 0 && nodes[leader].dead;
  }

  #started(state: PlainState, at: number, label: string): PlainStep[] {
    const node = state.nodes[at];
    const startedFor = this.#automaton.trigger === 'start' ? NEVER : termToStartFor(node);
    const begun = { ...node, awake: true, started: true, startedFor };
    return this.#handled(state, at, begun, [{ type: 'start' }], null, `${label} ${at}`);
  }

  #rings(state: PlainState, at: number): PlainStep[] {
    return this.#handled(
      state,
      at,
      { ...state.nodes[at], bell: STOPPED },
      [{ type: 'bell' }],
      null,
      `BELL ${at}`,
    );
  }

  #faults(state: PlainState, at: number): PlainStep[] {
    const { crashes, nodes, recoveries } = state;
    if (nodes[at].dead) {
      if (recoveries === 0) return [];
      const node = { ...nodes[at], dead: false, awake: true };
      const after = { ...state, recoveries: recoveries - 1 };
      const steps = this.#handled(after, at, node, [{ type: 'restart' }], null, `RECOVER ${at}`);
      return steps.map((step) => ({ ...step, isOptional: true }));
    }
    if (crashes === 0) return [];
    const after = { ...state, crashes: crashes - 1, nodes: nodes.with(at, crashed(nodes[at])) };
    return [this.#step(`CRASH ${at}`, true, after)];
  }

  #arrivals(state: PlainState, link: number): PlainStep[] {
    const { fifo, starts } = this.#options;
    const { to, toPort } = this.#links[link];
    if (starts === 'first' && this.#isAwaited(state, to)) return [];
    const isTimed = this.#automaton.timing === 'bounded-delay';
    const next = fifo ? state.links[link].slice(0, 1) : distinct(state.links[link]);
    return next.flatMap((one) => {
      if (isTimed && one.age === 0) return [];
      const label = `DELIVER ${link} ${fifo ? '' : textOf(one)}`;
      const taken = { ...state, links: state.links.with(link, without(state.links[link], one)) };
      const lost = state.losses > 0 ? [this.#loss(state, link, one)] : [];
      if (!state.nodes[to].dead) return [...this.#received(taken, to, toPort, one.message, label), ...lost];
      const notices = taken.notices.with(link, this.#added(taken.notices[link], one));
      return [this.#step(label, false, this.#hasNotices ? { ...taken, notices } : taken), ...lost];
    });
  }

  #loss(state: PlainState, link: number, one: Flying): PlainStep {
    const links = state.links.with(link, without(state.links[link], one));
    return this.#step(`LOSE ${link} ${textOf(one)}`, true, { ...state, links, losses: state.losses - 1 });
  }

  #tellings(state: PlainState, link: number): PlainStep[] {
    const { from, fromPort } = this.#links[link];
    const isTimed = this.#automaton.timing === 'bounded-delay';
    const next = this.#options.fifo ? state.notices[link].slice(0, 1) : distinct(state.notices[link]);
    return next.flatMap((one) => {
      if (isTimed && one.age < TIMEOUT) return [];
      const label = `NOTICE ${link} ${textOf(one)}`;
      const taken = { ...state, notices: state.notices.with(link, without(state.notices[link], one)) };
      if (taken.nodes[from].dead) return [this.#step(label, false, taken)];
      return this.#handled(taken, from, taken.nodes[from], [{ type: 'back' }], one.message, label, fromPort);
    });
  }

  #received(state: PlainState, at: number, _port: number, message: Message, label: string): PlainStep[] {
    const node = state.nodes[at];
    const starts = this.#automaton.startOnMessage && this.#isAwaited(state, at);
    const awake = { ...node, awake: true, started: node.started || starts };
    const events: Event[] = [...(starts ? [{ type: 'start' } as const] : []), { type: 'message', message }];
    return this.#handled(state, at, awake, events, message, label);
  }

  #handled(
    state: PlainState,
    at: number,
    node: PlainNode,
    events: readonly Event[],
    current: Message | null,
    label: string,
    _port = 0,
  ): PlainStep[] {
    const { ids, network } = this.#automaton;
    const ports = Array.from({ length: this.#topology.degree(at) }, (_, port) => port);
    const outward = network === 'one-way ring' ? [1] : ports;
    const around = { automaton: this.#automaton, id: ids[at], outward, now: state.round, current };
    const wasRunning = node.bell !== STOPPED;
    const outcomes = outcomesOf(node, events, around);
    // Two sequences of draws with one outcome are one step where lengths of timers are no part of a state.
    const isMerged = this.#automaton.timing === 'asynchronous';
    return (isMerged ? distinct(outcomes) : outcomes).map((outcome) => {
      const isSet = wasRunning && outcome.setsBell && outcome.node.bell !== STOPPED;
      const step = this.#step(label, false, this.#posted(state, at, outcome));
      return { ...step, isBreach: outcome.isBreach, restarted: isSet ? `BELL ${at}` : null };
    });
  }

  #posted(state: PlainState, at: number, { node, sent }: Outcome): PlainState {
    let { links } = state;
    for (const { message, port } of sent) {
      const link = this.#links.findIndex((one) => one.from === at && one.fromPort === port);
      links = links.with(link, this.#added(links[link], { message, age: 0 }));
    }
    return { ...state, nodes: state.nodes.with(at, node), links };
  }

  #added(flying: readonly Flying[], one: Flying): Flying[] {
    const isOrdered = this.#options.fifo || this.#automaton.timing === 'synchronous';
    const all = [...flying, one];
    return isOrdered ? all : all.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  }

  #step(label: string, isOptional: boolean, to: PlainState): PlainStep {
    return { label, isOptional, isBreach: false, to, restarted: null };
  }
}

function merged(before: PlainStep, after: PlainStep): PlainStep {
  return { ...after, isBreach: before.isBreach || after.isBreach };
}

function termToStartFor({ decision }: PlainNode): number {
  return decision === null || decision.leads ? 0 : decision.term + 1;
}

/** One unit later. */
function later(state: PlainState): PlainState {
  const older = (all: PlainState['links']) =>
    all.map((flying) => flying.map((one) => ({ ...one, age: one.age + 1 })));
  return {
    ...state,
    nodes: state.nodes.map((node) => (node.bell === STOPPED ? node : { ...node, bell: node.bell - 1 })),
    links: older(state.links),
    notices: older(state.notices),
    isLate: false,
  };
}

function isPending({ links, nodes, notices }: PlainState): boolean {
  return (
    [...links, ...notices].some((flying) => flying.length > 0) || nodes.some(({ bell }) => bell !== STOPPED)
  );
}

function textOf(one: Flying | Outcome): string {
  return JSON.stringify(one);
}

function distinct<T extends Flying | Outcome>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [textOf(one), one])).values()];
}

function without(flying: readonly Flying[], one: Flying): Flying[] {
  const text = textOf(one);
  const index = flying.findIndex((each) => textOf(each) === text);
  return flying.filter((_, k) => k !== index);
}
