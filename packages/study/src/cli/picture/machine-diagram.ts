/** The state machine of a node as a drawing: transitions with equal events share a number. */
import { type MachineTransition, nodeMachine, type StateGraph } from '../../checker/index.ts';
import { drawGraph, type LabelledArrow, type PictureStyle } from '../../drawing/index.ts';
import { networkOf, paramTexts } from '../report/summary.ts';

export function drawNodeMachine(graph: StateGraph, style: PictureStyle): string {
  const { setup } = graph;
  const machine = nodeMachine(graph);
  const texts = [...new Set(machine.transitions.map(textOf))];
  const numbers = new Map<string, Set<number>>();
  for (const transition of machine.transitions) {
    const key = `${transition.from} ${transition.to}`;
    const known = numbers.get(key) ?? new Set();
    numbers.set(key, known.add(texts.indexOf(textOf(transition)) + 1));
  }
  const arrows = [...numbers].map(([key, of]): LabelledArrow => {
    const [from, to] = key.split(' ').map(Number);
    return { from, to, label: [...of].sort((a, b) => a - b).join(' ') };
  });
  const shown = machine.fields.length === 0 ? 'only decisions' : `${machine.fields.join(', ')} and decisions`;
  return drawGraph(
    {
      title: `${setup.algorithm.title}: a node`,
      subtitle: [
        `all that happens to ${setup.nodes} nodes on ${networkOf(setup.topology)}`,
        ...paramTexts(setup),
        `in ${graph.states.length} states`,
      ].join(', '),
      states: machine.states.map(({ decision, isDead, isInitial, lines }) => ({
        lines,
        isInitial,
        mark: isDead ? 'dead' : decision === 'leader' ? 'leader' : decision === 'follower' ? 'end' : null,
      })),
      arrows,
      table: texts.map((text, k) => ({ label: String(k + 1), text })),
      note: `event / messages sent. States show ${shown}; ids, counters and lists are left out.`,
    },
    style,
  );
}

function textOf({ trigger, sent }: MachineTransition): string {
  return `${trigger} / ${sent.length === 0 ? '–' : sent.join(', ')}`;
}
