import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/registry.ts';
import { nodeMachine, stateGraph } from '../../../src/checker/index.ts';
import { drawNodeMachine } from '../../../src/cli/picture/machine-diagram.ts';
import { DEFAULT_STYLE, type GraphDrawing, graphScene } from '../../../src/drawing/index.ts';
import { segmentInBox } from '../../../src/drawing/network/geometry.ts';
import { overlap } from '../../../src/drawing/text-box.ts';

/** The machine of a node, with one arrow for each pair of states. */
function drawingOf(name: string): GraphDrawing {
  const algorithm = registry.find((one) => one.name === name);
  if (algorithm === undefined) throw new Error(name);
  // Larger state graphs take seconds.
  const nodes = /hirsch|divided|flood-max$|echo|randomized|bidirectional/.test(name) ? 2 : 3;
  const { states, transitions } = nodeMachine(stateGraph(algorithm, { nodes, order: 'ascending' }));
  const pairs = [...new Set(transitions.map(({ from, to }) => `${from} ${to}`))];
  return {
    title: name,
    subtitle: '',
    note: '',
    states: states.map(({ isInitial, lines }) => ({ isInitial, lines, mark: null })),
    arrows: pairs.map((pair, k) => {
      const [from, to] = pair.split(' ').map(Number);
      return { from, to, label: String(k + 1) };
    }),
    table: pairs.map((pair, k) => ({ label: String(k + 1), text: pair })),
  };
}

const drawn = registry.map(({ name }) => name).filter((name) => !/^(raft|itai-rodeh.*)$/.test(name));

describe('state machines', () => {
  it.each(drawn)('of %s: states do not touch, arrows avoid other states, labels are free', (name) => {
    const { arrows, boxes, height, width } = graphScene(drawingOf(name));
    const flaws: string[] = [];
    boxes.forEach((box, k) => {
      if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height)
        flaws.push(`${k} is off`);
      boxes.slice(k + 1).forEach((other) => {
        if (overlap(box, other)) flaws.push(`state ${k} touches another`);
      });
    });
    arrows.forEach(({ badge, from, label, line, to }, k) => {
      boxes.forEach((box, at) => {
        const isCrossed = line.some((point, i) => i > 0 && segmentInBox(line[i - 1], point, box));
        if (at !== from && at !== to && isCrossed) flaws.push(`arrow ${label} runs through state ${at}`);
        if (overlap(box, badge)) flaws.push(`label ${label} is on state ${at}`);
      });
      arrows.slice(k + 1).forEach((other) => {
        if (overlap(badge, other.badge)) flaws.push(`labels ${label} and ${other.label} touch`);
      });
    });
    expect(flaws).toEqual([]);
  });

  it('name every event once', () => {
    const algorithm = registry.find(({ name }) => name === 'franklin');
    if (algorithm === undefined) throw new Error('franklin');
    const svg = drawNodeMachine(stateGraph(algorithm, { nodes: 3, order: 'ascending' }), DEFAULT_STYLE);
    expect(svg.match(/>start \/ id</g)).toHaveLength(1);
    expect(svg).toContain('>leader<');
    expect(svg).toContain('event / messages sent');
  });
});
