/**
 * An election in lockstep as a chain of chances: all initiators start together, every message takes one unit, and what
 * comes to a node at one moment comes port by port, as in the simulator. So only the lots are open, and each state leads
 * to the next with the chance of the lots that are drawn in between. A step of the chain is one event.
 *
 * On a network where each node hears on one link only, as on a one-way ring, and links keep their order, every schedule
 * in which all start first gives the same chances: each node takes one stream in one order, whatever the delays.
 */
import { ElectionError, HustingsError, ProtocolError } from '../../kernel/errors.ts';
import { Machine } from '../../kernel/machine/machine.ts';
import { portOf, receiverOf, typeOf } from '../../kernel/machine/message-buffer.ts';
import type { Setup } from '../../kernel/setup.ts';
import { judge } from '../../properties/validity.ts';
import { forEachOutcome, type RandomOutcome } from '../network/random-choices.ts';
import { type Fraction, fraction, ONE, ZERO } from './fraction.ts';
import type { ChainEdge, MarkovChain } from './markov-chain.ts';
import { RoundShift } from './round-shift.ts';

/** What is asked of a chain: the chances of its ends, and then what is gathered on the way. */
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

const GATHERED = 3;

interface Situation {
  /** By position: the node, as saved. */
  readonly nodes: readonly (readonly number[])[];
  /** Letters that arrive at this moment, in their order, and those sent meanwhile. */
  readonly now: readonly Int32Array[];
  readonly next: readonly Int32Array[];
  /** So many initiators have started. */
  readonly started: number;
  /** The latest round so far. */
  readonly latest: number;
}

export class LockstepChain implements MarkovChain {
  /** Every state was looked into. */
  isWhole = true;
  /** Rounds are counted. */
  readonly hasRounds: boolean;
  private readonly setup: Setup;
  private readonly initiators: readonly number[];
  private readonly machine: Machine;
  private readonly shift: RoundShift;
  private readonly situations: Situation[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly out: (readonly ChainEdge[])[] = [];

  constructor(
    setup: Setup,
    initiators: readonly number[],
    stateLimit: number,
    onProgress?: (states: number, expanded: number) => void,
  ) {
    const { algorithm, diameter, ids, nodes: n, params, topology } = setup;
    this.setup = setup;
    this.initiators = initiators;
    const status = new Uint8Array(topology.n);
    const canStart = Uint8Array.from(status, (_, at) => (initiators.includes(at) ? 1 : 0));
    this.machine = new Machine(algorithm, { n, ids, topology, params, diameter, status, canStart });
    this.shift = new RoundShift(this.machine);
    this.hasRounds = this.shift.counts;
    const nodes = Array.from(status, (_, at) => this.machine.save(at));
    this.numberOf({ nodes, now: [], next: [], started: 0, latest: 0 });
    for (let state = 0; state < this.situations.length; state++) {
      if ((state & 0xff) === 0) onProgress?.(this.situations.length, state);
      // What is found is kept, looked into or not: a state with many lots finds many.
      this.isWhole &&= this.situations.length <= stateLimit;
      this.out.push(this.isWhole ? this.expand(this.situations[state]) : []);
    }
  }

  get count(): number {
    return this.situations.length;
  }

  ways(state: number): readonly ChainEdge[] {
    return this.out[state];
  }

  /** A state that was not looked into may come to anything. */
  end(state: number): readonly Fraction[] {
    const situation = this.situations[state];
    const figures = new Array<Fraction>(FIGURES.length).fill(ZERO);
    const isOver = situation.now.length === 0 && situation.started === this.initiators.length;
    figures[isOver ? (this.isRight(situation) ? 0 : 1) : 2] = ONE;
    return figures;
  }

  private isRight({ nodes }: Situation): boolean {
    const { machine, setup } = this;
    for (const [at, record] of nodes.entries()) machine.load(at, record);
    machine.decisions.breach = null;
    return (
      judge(machine.decisions, machine.status, setup.nodes, setup.anonymous ? null : setup.ids).fault === null
    );
  }

  private expand(situation: Situation): ChainEdge[] {
    const { initiators, machine } = this;
    const { now, started } = situation;
    if (started < initiators.length) {
      const at = initiators[started];
      return this.act({ ...situation, started: started + 1 }, at, () => machine.start(at));
    }
    if (now.length === 0) return [];
    const [letter, ...rest] = now;
    const words = Int32Array.from(letter);
    return this.act({ ...situation, now: rest }, receiverOf(words, 0), () => machine.receive(words, 0));
  }

  private act(situation: Situation, at: number, handle: () => void): ChainEdge[] {
    const { context } = this.machine;
    const drawn = forEachOutcome(context, () => {
      this.machine.load(at, situation.nodes[at]);
      this.machine.decisions.breach = null;
      context.clear();
      context.outbox.clear();
      this.handle(at, handle);
      const sent = this.takeSent();
      this.shift.blank(at);
      const nodes = situation.nodes.with(at, this.machine.save(at));
      return { sent, reached: { ...situation, nodes, next: [...situation.next, ...sent] } };
    });
    return drawn.map((one) => this.wayOf(one));
  }

  private handle(at: number, handle: () => void): void {
    const { name } = this.setup.algorithm;
    try {
      handle();
    } catch (error) {
      if (error instanceof HustingsError && !(error instanceof ProtocolError)) throw error;
      const text = error instanceof Error ? error.message : String(error);
      throw new ElectionError(
        `${name} failed at node ${at}: ${text}; a search without chances tells the run`,
        {
          property: 'handler',
          replay: `hustings check ${name} --nodes ${this.setup.nodes}`,
          cause: error,
        },
      );
    }
  }

  private wayOf({
    among,
    draws,
    result,
  }: RandomOutcome<{ sent: readonly Int32Array[]; reached: Situation }>): ChainEdge {
    const { codec } = this.machine;
    const { sent } = result;
    const arrived = this.arrive(result.reached);
    const rounds = this.roundsOf(arrived);
    const latest = Math.max(arrived.latest, ...rounds);
    const gains = new Array<number>(FIGURES.length).fill(0);
    for (const letter of sent) {
      const type = typeOf(letter, 0);
      gains[
        type < codec.firstUpkeep ? GATHERED + 1 : type < codec.firstAnnouncement ? GATHERED + 3 : GATHERED + 2
      ]++;
    }
    gains[GATHERED] = latest - arrived.latest;
    gains[GATHERED + 4] = draws;
    const excess = this.shift.excess(rounds);
    const to = this.numberOf(this.lowered({ ...arrived, latest }, excess));
    return { to, chance: fraction(1n, among), gains };
  }

  /** When nothing more comes at this moment, what was sent in it does at the next. */
  private arrive(situation: Situation): Situation {
    const { next, now, started } = situation;
    if (now.length > 0 || next.length === 0 || started < this.initiators.length) return situation;
    const inOrder = next.toSorted(
      (a, b) => receiverOf(a, 0) - receiverOf(b, 0) || portOf(a, 0) - portOf(b, 0),
    );
    return { ...situation, now: inOrder, next: [] };
  }

  private roundsOf({ nodes, now, next }: Situation): number[] {
    if (!this.hasRounds) return [];
    const ofNodes = nodes.flatMap((record, at) => {
      this.machine.load(at, record);
      return this.shift.roundsAt(at);
    });
    return [...ofNodes, ...[...now, ...next].flatMap((letter) => this.shift.roundsIn(letter))];
  }

  private lowered(situation: Situation, excess: number): Situation {
    if (excess === 0) return situation;
    const lower = (letters: readonly Int32Array[]): Int32Array[] =>
      letters.map((letter) => this.shift.lowered(letter, excess));
    const nodes = situation.nodes.map((record, at) => {
      this.machine.load(at, record);
      this.shift.lower(at, excess);
      return this.machine.save(at);
    });
    const { latest, now, next } = situation;
    return { ...situation, nodes, now: lower(now), next: lower(next), latest: latest - excess };
  }

  private takeSent(): Int32Array[] {
    const { outbox } = this.machine.context;
    const sent: Int32Array[] = [];
    for (let base = 0; base < outbox.end; base += outbox.width)
      sent.push(outbox.words.slice(base, base + outbox.width));
    outbox.clear();
    return sent;
  }

  private numberOf(situation: Situation): number {
    const key = this.keyOf(situation);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.situations.length;
    this.numbers.set(key, number);
    this.situations.push(situation);
    return number;
  }

  /** Slots that a type does not have may hold anything: letters are told by what they have. */
  private keyOf({ latest, nodes, now, next, started }: Situation): string {
    const { codec, lists } = this.machine;
    const tell = (letter: Int32Array): unknown => [
      receiverOf(letter, 0),
      portOf(letter, 0),
      codec.read(letter, 0, lists),
    ];
    return JSON.stringify([started, latest, nodes, now.map(tell), next.map(tell)]);
  }
}
