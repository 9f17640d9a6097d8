/** The invariants of an algorithm, checked on what a machine holds now. */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { InputError } from '../kernel/errors.ts';
import { NONE } from '../kernel/field.ts';
import type {
  InvariantChoice,
  NetworkInvariant,
  NetworkMessage,
  NetworkMoment,
  NetworkNode,
  NodeChange,
  NodeInvariant,
} from '../kernel/invariant.ts';
import { type Machine, SAVED_HEADER } from '../kernel/machine/machine.ts';
import { StateTable } from '../kernel/machine/state-table.ts';
import { DEAD, STARTED } from '../kernel/machine/status.ts';

export interface ViolatedInvariant {
  /** The invariant's name. */
  readonly property: string;
  readonly text: string;
}

type Named<I> = readonly (readonly [name: string, invariant: I])[];

interface ChosenInvariants {
  readonly node: Named<NodeInvariant>;
  readonly network: Named<NetworkInvariant>;
}

/** Refuses a name that no invariant of the algorithm has. */
export function chosenInvariants(algorithm: AnyAlgorithm, choice: InvariantChoice = 'all'): ChosenInvariants {
  const node = Object.entries(algorithm.invariants?.node ?? {}) as Named<NodeInvariant>;
  const network = Object.entries(algorithm.invariants?.network ?? {}) as Named<NetworkInvariant>;
  if (choice === 'all') return { node, network };
  if (choice === 'node') return { node, network: [] };
  if (choice === 'none') return { node: [], network: [] };
  const names = [...node, ...network].map(([name]) => name);
  const unknown = choice.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    throw new InputError(`${algorithm.name} has no invariant '${unknown}': ${known}`);
  }
  const isChosen = ([name]: readonly [string, unknown]): boolean => choice.includes(name);
  return { node: node.filter(isChosen), network: network.filter(isChosen) };
}

export class InvariantMonitor {
  readonly hasNetwork: boolean;
  private readonly nodes: readonly NetworkNode[];
  /** By position; `before` is the one record of `past`. */
  private readonly steps: readonly NodeChange[];
  private readonly past: StateTable;

  private constructor(
    private readonly machine: Machine,
    private readonly chosen: ChosenInvariants,
  ) {
    this.hasNetwork = chosen.network.length > 0;
    const { environment, status } = machine;
    const { ids, params, topology } = environment;
    const isAnonymous = machine.algorithm.assumes.ids !== 'unique';
    const nodes = machine.readOnlyViews().map(
      (state, at): NetworkNode => ({
        id: isAnonymous ? NONE : (ids[at] ?? NONE),
        state: state as NetworkNode['state'],
        get started() {
          return (status[at] & STARTED) !== 0;
        },
        get dead() {
          return (status[at] & DEAD) !== 0;
        },
        degree: topology.degree(at),
        neighbour: (port) => topology.neighbour(at, port),
      }),
    );
    this.nodes = nodes;
    this.past = new StateTable(machine.layout, machine.stateLimits, 1);
    const before = this.past.readOnlyView(0) as NodeChange['before'];
    this.steps = nodes.map(({ id, state, degree, neighbour }) => ({
      state,
      before,
      id,
      degree,
      params,
      neighbour: (port) => nodes[neighbour(port)].id,
    }));
  }

  /** Null if there is nothing to check. */
  static of(machine: Machine, choice?: InvariantChoice): InvariantMonitor | null {
    const chosen = chosenInvariants(machine.algorithm, choice);
    return chosen.node.length + chosen.network.length === 0 ? null : new InvariantMonitor(machine, chosen);
  }

  /** The first invariant of one node that is violated before any step. */
  violatedInitially(): ViolatedInvariant | null {
    for (const at of this.nodes.keys()) {
      const violated = this.violatedByStep(at, this.machine.save(at));
      if (violated !== null) return violated;
    }
    return null;
  }

  /** The first invariant of one node that a step of this node violates; `before` is what the machine saved before it. */
  violatedByStep(at: number, before: readonly number[]): ViolatedInvariant | null {
    if (this.chosen.node.length === 0) return null;
    this.past.load(0, before, SAVED_HEADER);
    for (const [property, invariant] of this.chosen.node) {
      if (!invariant.holds(this.steps[at])) return { property, text: `node ${at}: ${invariant.statement}` };
    }
    return null;
  }

  /** A node as it was when the machine saved it. */
  snapshot(at: number, saved: readonly number[]): NetworkNode {
    const { layout, stateLimits } = this.machine;
    const table = new StateTable(layout, stateLimits, 1);
    table.load(0, saved, SAVED_HEADER);
    const [status] = saved;
    return {
      ...this.nodes[at],
      state: table.readOnlyView(0) as NetworkNode['state'],
      started: (status & STARTED) !== 0,
      dead: (status & DEAD) !== 0,
    };
  }

  /**
   * The first invariant of the network that is violated; `messages` are all that are in flight. The nodes are those of
   * the machine, unless snapshots of them are given.
   */
  violatedNow(
    messages: () => readonly NetworkMessage[],
    nodes: readonly NetworkNode[] = this.nodes,
  ): ViolatedInvariant | null {
    if (this.chosen.network.length === 0) return null;
    const { params } = this.machine.environment;
    let inFlight: readonly NetworkMessage[] | null = null;
    const moment: NetworkMoment = {
      nodes,
      get messages() {
        inFlight ??= messages();
        return inFlight;
      },
      params,
    };
    for (const [property, invariant] of this.chosen.network) {
      if (!invariant.holds(moment)) return { property, text: invariant.statement };
    }
    return null;
  }
}
