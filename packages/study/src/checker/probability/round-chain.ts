/**
 * The rounds of a randomized election as a Markov chain: its states are the numbers of nodes that are still active when a
 * round begins. It is computed from the chain of all events in lockstep; nothing is assumed about the algorithm but what it
 * declares: which counters are rounds, and which nodes are passive.
 *
 * Guarantees: the probabilities are exact. A network in which the number of active nodes does not determine the next one is
 * refused.
 */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { CapacityError, InputError } from '../../kernel/errors.ts';
import { resolveSetup } from '../../kernel/setup.ts';
import { DEFAULT_CHECK_NODES } from '../check-options.ts';
import { type Fraction, formatFraction, isZero, plus, times, ZERO } from './fraction.ts';
import { FIGURES, LockstepChain } from './lockstep-chain.ts';
import type { ChainEdge } from './markov-chain.ts';
import {
  type ExactValue,
  exactValueOf,
  initiatorsOf,
  type ProbabilityOptions,
  refuseUnfit,
} from './probabilities.ts';

/** The end of the election, or the number of nodes that are active at the beginning of a round. */
export type RoundState =
  | { readonly type: 'active'; readonly nodes: number }
  | { readonly type: 'elected' | 'failed' };

/** The chain: the first state is the initial one. */
export interface RoundChain {
  readonly n: number;
  readonly states: readonly RoundState[];
  readonly edges: readonly { readonly from: number; readonly to: number; readonly probability: ExactValue }[];
}

const ROUNDS = FIGURES.indexOf('rounds');
const DEFAULT_STATES = 200_000;

type Distribution = ReadonlyMap<string, Fraction>;

/** Computes the chain of the rounds of a randomized election. */
export function roundChain(algorithm: AnyAlgorithm, options: ProbabilityOptions = {}): RoundChain {
  const setup = resolveSetup(algorithm, options, DEFAULT_CHECK_NODES);
  refuseUnfit(algorithm, setup);
  if (algorithm.passive === undefined) {
    throw new InputError(
      `${algorithm.name} declares no passive nodes: the chain counts those that are not passive`,
    );
  }
  const initiators = initiatorsOf(options.initiators ?? 'all', setup.nodes);
  const chain = new LockstepChain(
    setup,
    initiators,
    options.stateLimit ?? DEFAULT_STATES,
    options.onProgress,
  );
  if (!chain.hasRounds)
    throw new InputError(`${algorithm.name} has no counter of rounds that is declared relative`);
  if (!chain.isComplete) {
    throw new CapacityError(`the Markov chain has more than ${chain.count} states: take fewer nodes`);
  }
  return new Rounds(chain, algorithm.name).collapse(setup.nodes);
}

class Rounds {
  private readonly known = new Map<number, Distribution>();

  constructor(
    private readonly chain: LockstepChain,
    private readonly name: string,
  ) {}

  collapse(n: number): RoundChain {
    const found = new Map<string, Distribution>();
    const first = this.labelOf(0);
    for (let state = 0; state < this.chain.count; state++) {
      if (!this.beginsRound(state)) continue;
      const label = this.labelOf(state);
      const ahead = this.afterRound(state);
      const before = found.get(label);
      if (before !== undefined && textOf(before) !== textOf(ahead)) {
        throw new InputError(
          `the rounds of ${this.name} are no Markov chain: the number of active nodes does not determine the next one`,
        );
      }
      found.set(label, ahead);
    }
    const labels = [
      ...new Set([first, ...found.keys(), ...[...found.values()].flatMap((ahead) => [...ahead.keys()])]),
    ];
    const edges = [...found].flatMap(([label, ahead]) =>
      [...ahead].map(([to, probability]) => ({
        from: labels.indexOf(label),
        to: labels.indexOf(to),
        probability: exactValueOf(probability),
      })),
    );
    return { n, states: labels.map(stateOf), edges };
  }

  /** The next event draws for a new round. */
  private beginsRound(state: number): boolean {
    return this.chain.edges(state).some(({ gains }) => gains[ROUNDS] > 0);
  }

  private labelOf(state: number): string {
    return `active ${this.chain.activeNodes(state)}`;
  }

  private afterRound(state: number): Distribution {
    return this.mixed(this.chain.edges(state));
  }

  private mixed(edges: readonly ChainEdge[]): Distribution {
    const sum = new Map<string, Fraction>();
    for (const { probability, to } of edges) {
      for (const [label, share] of this.until(to)) {
        sum.set(label, plus(sum.get(label) ?? ZERO, times(probability, share)));
      }
    }
    return sum;
  }

  /** Where the round that a state is in leads. */
  private until(state: number): Distribution {
    const known = this.known.get(state);
    if (known !== undefined) return known;
    const edges = this.chain.edges(state);
    const one = (label: string): Distribution => new Map([[label, { numerator: 1n, denominator: 1n }]]);
    const result =
      edges.length === 0
        ? one(isZero(this.chain.terminalFigures(state)[0]) ? 'failed' : 'elected')
        : this.beginsRound(state)
          ? one(this.labelOf(state))
          : this.mixed(edges);
    this.known.set(state, result);
    return result;
  }
}

function stateOf(label: string): RoundState {
  const [type, nodes] = label.split(' ');
  return type === 'active' ? { type, nodes: Number(nodes) } : { type: type === 'elected' ? type : 'failed' };
}

function textOf(distribution: Distribution): string {
  const parts = [...distribution].map(([label, probability]) => `${label}: ${formatFraction(probability)}`);
  return parts.sort().join('; ');
}
