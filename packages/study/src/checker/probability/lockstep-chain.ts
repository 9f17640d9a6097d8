/**
 * An election in lockstep as a Markov chain: all initiators start together, every message takes one unit, and messages that
 * arrive at a node at the same time are handled by port, as in the simulator. So only random draws are open, and each edge
 * of the chain has the probability of its draws. A step of the chain is one event.
 *
 * If each node receives on one link only, as on a one-way ring, and links are FIFO, every schedule in which all nodes start
 * first has the same probabilities: each node receives one stream of messages in a fixed order, for all delays.
 */
import { appearanceOf } from '../../kernel/appearance.ts';
import { STARTED } from '../../kernel/machine/status.ts';
import type { Setup } from '../../kernel/setup.ts';
import { formatMessage } from '../../kernel/trace.ts';
import type { Configuration, InFlightMessage } from '../../kernel/world/configuration.ts';
import type { Step, StepOutcome } from '../../kernel/world/step.ts';
import { refuseFailure, World } from '../../kernel/world/world.ts';
import { judge } from '../../properties/validity.ts';
import { type Fraction, fraction, ONE, ZERO } from './fraction.ts';
import type { ChainEdge, MarkovChain } from './markov-chain.ts';
import { RoundShift } from './round-shift.ts';

/** The figures of a chain: the probabilities of its terminal states, then the sums along its runs. */
export const FIGURES = [
  'success',
  'failure',
  'unknown',
  'rounds',
  'election',
  'announcement',
  'upkeep',
  'draws',
] as const;

const FIRST_SUM = 3;

interface ChainState {
  readonly configuration: Configuration;
  /** The latest round so far. */
  readonly latest: number;
}

export class LockstepChain implements MarkovChain {
  /** Every state was expanded. */
  isComplete = true;
  /** The algorithm has counters of rounds. */
  readonly hasRounds: boolean;
  private readonly world: World;
  private readonly replay: string;
  private readonly shift: RoundShift;
  private readonly states: ChainState[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly out: (readonly ChainEdge[])[] = [];

  constructor(
    setup: Setup,
    initiators: readonly number[],
    stateLimit: number,
    onProgress?: (states: number, expanded: number) => void,
  ) {
    // Lockstep: a message arrives one unit after it was sent, and messages of one link in the order of sending.
    const timing = 'bounded-delay';
    this.world = new World(setup, { initiators, starts: 'together', timing, delay: 1, fifo: true });
    this.replay = `hustings check ${setup.algorithm.name} --nodes ${setup.nodes}`;
    this.shift = new RoundShift(this.world.machine);
    this.hasRounds = this.shift.counts;
    this.numberOf({ configuration: this.world.save(), latest: 0 });
    for (let state = 0; state < this.states.length; state++) {
      if ((state & 0xff) === 0) onProgress?.(this.states.length, state);
      // States are numbered even if they are not expanded, because one expansion may find many.
      this.isComplete &&= this.states.length <= stateLimit;
      this.out.push(this.isComplete ? this.expand(this.states[state]) : []);
    }
  }

  get count(): number {
    return this.states.length;
  }

  edges(state: number): readonly ChainEdge[] {
    return this.out[state];
  }

  /** A state that was not expanded counts as unknown. */
  terminalFigures(state: number): readonly Fraction[] {
    const { configuration } = this.states[state];
    const { machine, setup } = this.world;
    const figures = new Array<Fraction>(FIGURES.length).fill(ZERO);
    const isTerminal = this.nextStep(configuration) === null;
    this.world.load(configuration);
    const ids = setup.anonymous ? null : setup.ids;
    const { fault } = judge(machine.decisions, machine.status, setup.nodes, ids);
    figures[isTerminal ? (fault === null ? 0 : 1) : 2] = ONE;
    return figures;
  }

  /** The number of nodes that are not passive, as the algorithm declares; initiators that have yet to start count. */
  activeNodes(state: number): number {
    const { machine, rules, setup } = this.world;
    this.world.load(this.states[state].configuration);
    let active = 0;
    for (let at = 0; at < setup.nodes; at++) {
      const hasStarted = (machine.status[at] & STARTED) !== 0;
      const { passive } = appearanceOf(setup.algorithm, machine.fieldsOf(at));
      if (hasStarted ? !passive : rules.initiators.includes(at)) active++;
    }
    return active;
  }

  private expand({ configuration, latest }: ChainState): ChainEdge[] {
    const step = this.nextStep(configuration);
    if (step === null) return [];
    this.world.load(configuration);
    return this.world.branch(step, (outcome, draws) => {
      refuseFailure(this.world, outcome, this.replay);
      const node = outcome.events[0].node;
      this.adopt((at) => at === node && this.shift.blank(at));
      const now = this.world.configuration;
      if (now.messages.length > 0 && this.nextStep(now) === null) this.world.apply({ type: 'tick' });
      const rounds = this.rounds();
      const reached = Math.max(latest, ...rounds);
      const excess = this.shift.excess(rounds);
      if (excess > 0) {
        const lower = (one: InFlightMessage): InFlightMessage => {
          const message = this.shift.lowered(one.message, excess);
          return { ...one, message, text: formatMessage(message) };
        };
        this.adopt((at) => this.shift.lower(at, excess), lower);
      }
      const to = this.numberOf({ configuration: this.world.save(), latest: reached - excess });
      return {
        to,
        probability: fraction(1n, draws.among),
        gains: this.gains(outcome, reached - latest, draws.length),
      };
    });
  }

  /** The next start, or the next delivery by receiver and port; null if time must pass first. */
  private nextStep(configuration: Configuration): Step | null {
    const node = this.world.rules.opening(configuration);
    if (node !== null) return { type: 'start', node };
    const [message] = arriving(configuration);
    if (message === undefined) return null;
    const { from, port, text, to } = message;
    return { type: 'deliver', from, to, port, message: text };
  }

  /** Changes nodes in the machine and messages, and loads the result into the world. */
  private adopt(change: (at: number) => void, rewrite = (message: InFlightMessage) => message): void {
    const { configuration, machine } = this.world;
    const nodes = configuration.nodes.map((node, at) => {
      change(at);
      return { ...node, record: machine.save(at) };
    });
    this.world.load({ ...configuration, nodes, messages: configuration.messages.map(rewrite) });
  }

  private rounds(): number[] {
    if (!this.hasRounds) return [];
    const { messages, nodes } = this.world.configuration;
    const ofNodes = nodes.flatMap((_, at) => this.shift.roundsAt(at));
    return [...ofNodes, ...messages.flatMap(({ message }) => this.shift.roundsIn(message))];
  }

  private gains({ events }: StepOutcome, rounds: number, draws: number): number[] {
    const { codec } = this.world.machine;
    const gains = new Array<number>(FIGURES.length).fill(0);
    gains[FIRST_SUM] = rounds;
    gains[FIRST_SUM + 4] = draws;
    for (const event of events) {
      if (event.type !== 'send') continue;
      const type = codec.indexOf(event.message.type);
      gains[FIRST_SUM + (type < codec.firstUpkeep ? 1 : type < codec.firstAnnouncement ? 3 : 2)]++;
    }
    return gains;
  }

  private numberOf(state: ChainState): number {
    const { configuration, latest } = state;
    const { clock, messages, nodes, started } = configuration;
    const key = JSON.stringify([
      started,
      latest,
      nodes.map(({ record }) => record),
      arriving(configuration).map(placeOf),
      messages.filter(({ sentTime }) => sentTime === clock).map(placeOf),
    ]);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.states.length);
    return this.states.push(state) - 1;
  }
}

/** The messages that arrive now, in order. */
function arriving({ clock, messages }: Configuration): InFlightMessage[] {
  return messages
    .filter(({ sentTime }) => sentTime < clock)
    .sort((one, other) => one.to - other.to || one.port - other.port);
}

function placeOf({ link, text }: InFlightMessage): unknown {
  return [link, text];
}
