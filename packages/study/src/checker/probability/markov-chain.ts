/**
 * Solves a Markov chain exactly: the probabilities of its terminal states, and the expected sums along its runs. All numbers
 * are fractions.
 *
 * The figures of a state are those of its successors, weighted by their probabilities, plus the gains of the edges. Strongly
 * connected components are solved in reverse topological order. The states of a component with a cycle form a system of
 * linear equations, which is solved by Gaussian elimination, states with few neighbours first, which limits fill-in.
 *
 * A bottom component that is not a terminal state is never left: the probabilities of the terminal states then sum to less
 * than 1, and the expected sums have no meaning.
 */
import { forEachComponent } from '../search/components.ts';
import { type Fraction, fraction, isZero, minus, ONE, plus, quotient, times, ZERO } from './fraction.ts';

export interface ChainEdge {
  readonly to: number;
  readonly probability: Fraction;
  /** By figure. */
  readonly gains: readonly number[];
}

export interface MarkovChain {
  readonly count: number;
  /** The probabilities sum to 1; a terminal state has no edges. */
  edges(state: number): readonly ChainEdge[];
  terminalFigures(state: number): readonly Fraction[];
}

interface Equation {
  /** By state of the component. */
  readonly factors: Map<number, Fraction>;
  known: Fraction[];
}

/** The figures of every state. */
export function solveChain(chain: MarkovChain, figures: number): readonly (readonly Fraction[])[] {
  const solved: (readonly Fraction[])[] = new Array(chain.count);
  forEachComponent(
    chain.count,
    (state) => chain.edges(state).map(({ to }) => to),
    (component) => solveComponent(chain, component, figures, solved),
  );
  return solved;
}

function solveComponent(
  chain: MarkovChain,
  component: readonly number[],
  figures: number,
  solved: (readonly Fraction[])[],
): void {
  const [only] = component;
  if (component.length === 1 && chain.edges(only).length === 0) {
    solved[only] = chain.terminalFigures(only);
    return;
  }
  const members = new Set(component);
  const equations = new Map<number, Equation>();
  const predecessors = new Map<number, Set<number>>(component.map((state) => [state, new Set<number>()]));
  for (const state of component) {
    const factors = new Map<number, Fraction>();
    let known = new Array<Fraction>(figures).fill(ZERO);
    for (const { gains, probability, to } of chain.edges(state)) {
      known = known.map((sum, k) => (gains[k] ? plus(sum, times(probability, fraction(gains[k]))) : sum));
      if (members.has(to)) {
        factors.set(to, plus(factors.get(to) ?? ZERO, probability));
        predecessors.get(to)?.add(state);
      } else known = added(known, solved[to], probability);
    }
    equations.set(state, { factors, known });
  }
  const isClosed = component.every((state) => chain.edges(state).every(({ to }) => members.has(to)));
  if (isClosed) {
    for (const state of component) solved[state] = new Array<Fraction>(figures).fill(ZERO);
    return;
  }
  const degree = (state: number): number =>
    (predecessors.get(state)?.size ?? 0) * (equations.get(state)?.factors.size ?? 0);
  const order = [...component].sort((a, b) => degree(a) - degree(b));
  for (const state of order) eliminate(state, equations, predecessors);
  for (const state of order.reverse()) {
    const { factors, known } = equations.get(state) as Equation;
    solved[state] = [...factors].reduce((sum, [to, factor]) => added(sum, solved[to], factor), known);
  }
}

/** Substitutes the equation of a state into all others; its own equation then has only states that are not eliminated. */
function eliminate(
  state: number,
  equations: ReadonlyMap<number, Equation>,
  predecessors: ReadonlyMap<number, Set<number>>,
): void {
  const own = equations.get(state) as Equation;
  const loop = own.factors.get(state) ?? ZERO;
  if (!isZero(loop)) {
    const scale = quotient(ONE, minus(ONE, loop));
    own.factors.delete(state);
    for (const [to, factor] of own.factors) own.factors.set(to, times(factor, scale));
    own.known = own.known.map((figure) => times(figure, scale));
  }
  for (const to of own.factors.keys()) predecessors.get(to)?.delete(state);
  for (const from of predecessors.get(state) ?? []) {
    if (from === state) continue;
    const other = equations.get(from) as Equation;
    const share = other.factors.get(state) as Fraction;
    other.factors.delete(state);
    other.known = added(other.known, own.known, share);
    for (const [to, factor] of own.factors) {
      other.factors.set(to, plus(other.factors.get(to) ?? ZERO, times(share, factor)));
      predecessors.get(to)?.add(from);
    }
  }
}

function added(sum: readonly Fraction[], more: readonly Fraction[], share: Fraction): Fraction[] {
  return sum.map((figure, k) => plus(figure, times(share, more[k])));
}
