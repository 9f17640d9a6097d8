/** The rounds of a randomized election as a drawing of a Markov chain. */
import { type CheckOptions, type ExactValue, type RoundState, roundChain } from '../../checker/index.ts';
import { drawGraph, type PictureStyle } from '../../drawing/index.ts';
import type { Setup } from '../../kernel/driver.ts';
import type { AnyAlgorithm } from '../../kernel/index.ts';
import { probabilityOptions } from '../report/probability-report.ts';
import { networkOf } from '../report/summary.ts';

export function drawRoundChain(
  algorithm: AnyAlgorithm,
  { topology, params }: Setup,
  options: CheckOptions,
  style: PictureStyle,
): string {
  const chain = roundChain(algorithm, probabilityOptions(options));
  const counts = chain.states.flatMap((state) => (state.type === 'active' ? [state.nodes] : []));
  const most = Math.max(...counts);
  const column = (state: RoundState): number =>
    state.type === 'active' ? most - state.nodes : most - Math.min(...counts) + 1;
  const ranges = Object.entries(params).map(([name, value]) => `${name} = ${value}`);
  return drawGraph(
    {
      title: `${algorithm.title}: its rounds as a Markov chain`,
      subtitle: [`${chain.n} nodes on ${networkOf(topology)}`, ...ranges].join(', '),
      states: chain.states.map((state, k) => ({
        lines: state.type === 'active' ? [`${state.nodes} active`] : [state.type],
        isInitial: k === 0,
        mark: state.type === 'elected' ? 'leader' : state.type === 'failed' ? 'dead' : null,
        column: column(state),
      })),
      arrows: chain.edges.map(({ from, to, probability }) => ({ from, to, label: labelOf(probability) })),
      table: [],
      note: 'A state is the number of active nodes when a round begins. Arrows have the exact probabilities in lockstep.',
    },
    style,
  );
}

/** Long fractions as decimals. */
function labelOf({ fraction, decimal }: ExactValue): string {
  return fraction.length <= 9 ? fraction : `≈ ${decimal.toPrecision(4)}`;
}
