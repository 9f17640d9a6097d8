/**
 * Every schedule of an election, breadth first: a second driver of the very files that the simulator runs, to show
 * that the kernel alone is enough for one. It knows no algorithm, keeps its own links, and never reads a state.
 *
 * A state is a text: the nodes as `Machine.save` gives them, then what is in flight on each link, oldest first, as a
 * socket would carry it. One step is one start or one delivery. Links are FIFO; nobody crashes and nothing is lost.
 */
import {
  AWAKE,
  address,
  LEADER,
  Machine,
  MessageBuffer,
  portOf,
  receiverOf,
  resolveParams,
} from '../../src/kernel/driver.ts';
import { type AnyAlgorithm, Topology } from '../../src/kernel/index.ts';
import { judge } from '../../src/properties/validity.ts';

/** together: all have started in the first state; first: each start is a step, and nothing reaches a node before it. */
export type Starts = 'together' | 'first';

export interface Exploration {
  readonly states: number;
  readonly transitions: number;
  /** States in which nothing is left to do. */
  readonly ends: number;
  /** The first thing that went wrong, with the steps that led there; null if nothing ever does. */
  readonly fault: string | null;
}

/** A message in flight, as JSON. */
type Flying = string;

interface State {
  readonly nodes: number[][];
  readonly links: Flying[][];
}

/** Starts a node, or delivers the oldest message of the link that ends at this port. */
interface Step {
  readonly at: number;
  readonly port: number | null;
}

export class Explorer {
  private readonly machine: Machine;
  private readonly ids: Int32Array;
  private readonly topology: Topology;
  private readonly initiators: readonly number[];
  private readonly inHand: MessageBuffer;

  constructor(algorithm: AnyAlgorithm, ids: readonly number[], initiators = ids.map((_, at) => at)) {
    const n = ids.length;
    this.ids = Int32Array.from(ids);
    this.topology = Topology.ring(n, { oneWay: algorithm.assumes.network === 'one-way ring' });
    this.initiators = initiators;
    this.machine = new Machine(algorithm, {
      n,
      ids: this.ids,
      topology: this.topology,
      params: resolveParams(algorithm.name, algorithm.params, n, {}),
      diameter: 0,
      status: new Uint8Array(n),
    });
    this.inHand = new MessageBuffer(this.machine.codec.width);
    this.inHand.push();
  }

  explore(starts: Starts): Exploration {
    const first = this.firstState(starts);
    const seen = new Map<string, string>([[first, '']]);
    const explored = { transitions: 0, ends: 0 };
    for (const [text, way] of seen) {
      const enabled = this.enabled(JSON.parse(text));
      for (const step of enabled) {
        const next = this.apply(JSON.parse(text), step);
        const wayOn = `${way} ${step.port === null ? 'start' : 'deliver to'} ${step.at},`;
        explored.transitions++;
        if (this.leaders() > 1) return { ...explored, states: seen.size, fault: `two leaders after${wayOn}` };
        if (!seen.has(next)) seen.set(next, wayOn);
      }
      if (enabled.length > 0) continue;
      explored.ends++;
      const fault = this.faultOf(JSON.parse(text));
      if (fault !== null) return { ...explored, states: seen.size, fault: `${fault} after${way}` };
    }
    return { ...explored, states: seen.size, fault: null };
  }

  private firstState(starts: Starts): string {
    const nodes = [...this.ids.keys()].map((at) => this.machine.save(at));
    const links: Flying[][] = Array.from({ length: this.topology.links }, () => []);
    let text = JSON.stringify({ nodes, links });
    if (starts === 'together') {
      for (const at of this.initiators) text = this.apply(JSON.parse(text), { at, port: null });
    }
    return text;
  }

  private enabled({ nodes, links }: State): Step[] {
    const waiting = this.initiators.filter((at) => (nodes[at][0] & AWAKE) === 0);
    const steps: Step[] = waiting.map((at) => ({ at, port: null }));
    for (let at = 0; at < nodes.length; at++) {
      if (waiting.includes(at)) continue;
      for (const port of [0, 1]) if (links[this.topology.link(at, port)].length > 0) steps.push({ at, port });
    }
    return steps;
  }

  /** Changes the state it is given, and returns it as text. */
  private apply(state: State, { at, port }: Step): string {
    const { machine, topology } = this;
    const { codec, context, lists } = machine;
    this.load(state);
    if (port === null) machine.start(at);
    else {
      const { words } = this.inHand;
      const message = JSON.parse(state.links[topology.link(at, port)].shift() as Flying);
      address(words, 0, at, port, codec.write(message, words, 0, machine.messageLimits, lists));
      machine.receive(words, 0);
      codec.releaseLists(words, 0, lists);
    }
    const { words, end, width } = context.outbox;
    for (let base = 0; base < end; base += width) {
      const link = topology.link(receiverOf(words, base), portOf(words, base));
      state.links[link].push(JSON.stringify(codec.read(words, base, lists)));
      codec.releaseLists(words, base, lists);
    }
    context.outbox.clear();
    state.nodes[at] = machine.save(at);
    return JSON.stringify(state);
  }

  private load({ nodes }: State): void {
    nodes.forEach((record, at) => {
      this.machine.load(at, record);
    });
  }

  private leaders(): number {
    return this.machine.decisions.roles.filter((role) => role === LEADER).length;
  }

  private faultOf(state: State): string | null {
    this.load(state);
    const { decisions, status } = this.machine;
    return judge(decisions, status, this.ids.length, this.ids).fault?.text ?? null;
  }
}
