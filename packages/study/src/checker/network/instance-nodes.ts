/**
 * The nodes of an instance: their machine, the links between them, and their transitions as far as these were computed. They do
 * not depend on which nodes initiate, so instances that differ in nothing else can share them.
 */
import type { InvariantChoice } from '../../kernel/invariant.ts';
import { Machine } from '../../kernel/machine/machine.ts';
import type { Setup } from '../../kernel/setup.ts';
import { InvariantMonitor } from '../../properties/invariants.ts';
import type { Bounds } from './bounded-counters.ts';
import { LinkTable } from './link-table.ts';
import { StepCache } from './node-transition.ts';
import { NodeTransitions } from './node-transitions.ts';

/** With more states of a node, or messages, an instance has numbers of its own: there is a limit to them. */
const MAX_SHARED = 4096;

export interface NodeOptions {
  readonly initiators: readonly number[];
  readonly bounds: Bounds;
  readonly invariants: InvariantChoice;
}

export class InstanceNodes {
  readonly table: LinkTable;
  readonly local: NodeTransitions;
  readonly invariants: InvariantMonitor | null;
  readonly caches: {
    readonly start: readonly StepCache[];
    readonly deliver: readonly StepCache[];
    readonly timer: readonly StepCache[];
    readonly notice: readonly StepCache[];
    readonly crash: readonly StepCache[];
    readonly recover: readonly StepCache[];
  };
  private readonly asleep: readonly (readonly number[])[];

  constructor(setup: Setup, { bounds, initiators, invariants }: NodeOptions) {
    const { algorithm, ids, nodes: n, params, diameter, topology } = setup;
    const status = new Uint8Array(topology.n);
    const canStart = new Uint8Array(topology.n);
    for (const at of initiators) canStart[at] = 1;
    const machine = new Machine(algorithm, { n, ids, topology, params, diameter, status, canStart });
    const table = new LinkTable(topology);
    this.table = table;
    this.invariants = InvariantMonitor.of(machine, invariants);
    this.local = new NodeTransitions(
      machine,
      (to, port) => table.numberOf(to, port),
      bounds,
      this.invariants,
    );
    const timers = algorithm.timers?.length ?? 0;
    const caches = (length: number): StepCache[] => Array.from({ length }, () => new StepCache());
    this.caches = {
      start: caches(topology.n),
      deliver: caches(table.count),
      timer: caches(topology.n * timers),
      notice: caches(table.count),
      crash: caches(topology.n),
      recover: caches(topology.n),
    };
    this.asleep = Array.from(status, (_, at) => machine.save(at));
  }

  get machine(): Machine {
    return this.local.machine;
  }

  /** There is room for the states and the messages of another instance. */
  get hasRoom(): boolean {
    const { messages, states } = this.local;
    return [messages, ...states].every(({ all }) => all.length <= MAX_SHARED);
  }

  /** The machine holds the nodes as they are before any step, and these are crashed. */
  rest(dead: readonly number[]): void {
    for (const [at, record] of this.asleep.entries()) this.machine.load(at, record);
    this.machine.decisions.reset();
    for (const at of dead) this.machine.crash(at);
  }
}

/** The nodes of the instances of one order of the ids, one after the other. */
export class SharedNodes {
  private nodes: InstanceNodes | null = null;

  take(setup: Setup, options: NodeOptions): InstanceNodes {
    // The machine of such an algorithm knows which nodes may start.
    if (setup.algorithm.startOnMessage === true) return new InstanceNodes(setup, options);
    if (this.nodes?.hasRoom !== true) this.nodes = new InstanceNodes(setup, options);
    return this.nodes;
  }
}
