/**
 * What a chain of chances comes to: sums that are gathered on the way to an end, on average, and the chances of the ends
 * themselves. Exact: fractions throughout, and no iteration.
 *
 * A state's figures are those of its successors, weighted with their chances, and what the way there gathers. Components
 * come after those that they lead to, so that a state on no cycle has its figures from known ones. The states of a
 * component that goes round are equations in one another: they are eliminated one by one, those with few neighbours
 * first, which keeps long ways without a choice from filling the rest.
 *
 * A component that cannot be left, and is no end, gathers nothing and comes to no end: the chances of the ends then sum to
 * less than 1, and the averages over all runs mean nothing.
 */
import { forEachComponent } from '../search/components.ts';
import { type Fraction, fraction, isZero, minus, ONE, plus, quotient, times, ZERO } from './fraction.ts';

export interface ChainEdge {
  readonly to: number;
  readonly chance: Fraction;
  /** By figure: what is gathered. */
  readonly gains: readonly number[];
}

export interface MarkovChain {
  readonly count: number;
  /** Chances sum to 1; none from an end. */
  ways(state: number): readonly ChainEdge[];
  /** The figures of an end. */
  end(state: number): readonly Fraction[];
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
    (state) => chain.ways(state).map(({ to }) => to),
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
  if (component.length === 1 && chain.ways(only).length === 0) {
    solved[only] = chain.end(only);
    return;
  }
  const members = new Set(component);
  const equations = new Map<number, Equation>();
  const before = new Map<number, Set<number>>(component.map((state) => [state, new Set<number>()]));
  for (const state of component) {
    const factors = new Map<number, Fraction>();
    let known = new Array<Fraction>(figures).fill(ZERO);
    for (const { chance, gains, to } of chain.ways(state)) {
      known = known.map((sum, k) => (gains[k] ? plus(sum, times(chance, fraction(gains[k]))) : sum));
      if (members.has(to)) {
        factors.set(to, plus(factors.get(to) ?? ZERO, chance));
        before.get(to)?.add(state);
      } else known = added(known, solved[to], chance);
    }
    equations.set(state, { factors, known });
  }
  const isClosed = component.every((state) => chain.ways(state).every(({ to }) => members.has(to)));
  if (isClosed) {
    for (const state of component) solved[state] = new Array<Fraction>(figures).fill(ZERO);
    return;
  }
  const degree = (state: number): number =>
    (before.get(state)?.size ?? 0) * (equations.get(state)?.factors.size ?? 0);
  const order = [...component].sort((a, b) => degree(a) - degree(b));
  for (const state of order) eliminate(state, equations, before);
  for (const state of order.reverse()) {
    const { factors, known } = equations.get(state) as Equation;
    solved[state] = [...factors].reduce((sum, [to, factor]) => added(sum, solved[to], factor), known);
  }
}

/** Puts what a state equals in its place wherever it stands; its own equation then speaks of states not yet eliminated. */
function eliminate(
  state: number,
  equations: ReadonlyMap<number, Equation>,
  before: ReadonlyMap<number, Set<number>>,
): void {
  const own = equations.get(state) as Equation;
  const again = own.factors.get(state) ?? ZERO;
  if (!isZero(again)) {
    const scale = quotient(ONE, minus(ONE, again));
    own.factors.delete(state);
    for (const [to, factor] of own.factors) own.factors.set(to, times(factor, scale));
    own.known = own.known.map((figure) => times(figure, scale));
  }
  for (const to of own.factors.keys()) before.get(to)?.delete(state);
  for (const from of before.get(state) ?? []) {
    if (from === state) continue;
    const other = equations.get(from) as Equation;
    const share = other.factors.get(state) as Fraction;
    other.factors.delete(state);
    other.known = added(other.known, own.known, share);
    for (const [to, factor] of own.factors) {
      other.factors.set(to, plus(other.factors.get(to) ?? ZERO, times(share, factor)));
      before.get(to)?.add(from);
    }
  }
}

function added(sum: readonly Fraction[], more: readonly Fraction[], share: Fraction): Fraction[] {
  return sum.map((figure, k) => plus(figure, times(share, more[k])));
}
