import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/registry.ts';
import {
  type NetworkDrawingOptions,
  type NetworkScene,
  networkDrawing,
  networkScene,
  PALETTES,
  type PictureSize,
  type ScenePanel,
} from '../../../src/drawing/index.ts';
import {
  boxNearPoint,
  distance,
  fromPolyline,
  polylineInBox,
} from '../../../src/drawing/network/geometry.ts';
import { renderMessages } from '../../../src/drawing/network/render-message.ts';
import { type Box, overlap } from '../../../src/drawing/text-box.ts';
import type { SimulateOptions } from '../../../src/simulator/index.ts';
import { algorithmNamed, recorded } from './recorded-run.ts';

/** Every flaw of a picture, in words. */
function flawsOf(scene: NetworkScene): string[] {
  const sheet = { x: 0, y: 0, width: scene.width, height: scene.height };
  const flaws = scene.texts
    .filter(({ box }) => !isInside(box, sheet))
    .map(({ text }) => `'${text}' is off the sheet`);
  for (const [k, one] of scene.texts.entries()) {
    for (const other of scene.texts.slice(k + 1)) {
      if (overlap(one.box, other.box)) flaws.push(`'${one.text}' touches '${other.text}'`);
    }
  }
  return [
    ...flaws,
    ...scene.panels.flatMap((panel, k) => panelFlaws(panel, sheet).map((flaw) => `panel ${k}: ${flaw}`)),
  ];
}

function panelFlaws(panel: ScenePanel, sheet: Box): string[] {
  const flaws: string[] = [];
  const { links, messages, nodes, texts } = panel;
  for (const node of nodes) {
    const { at, name, position, radius } = node;
    if (!isInside(name.box, sheet)) flaws.push(`'${name.text}' is off the sheet`);
    const edge = { x: at.x - radius, y: at.y - radius, width: 2 * radius, height: 2 * radius };
    if (!isInside(edge, sheet)) flaws.push(`node ${position} is off the sheet`);
    for (const other of nodes) {
      if (other.position < position && distance(at, other.at) < 2.2 * radius)
        flaws.push(`nodes ${other.position} and ${position} touch`);
    }
    for (const { a, b, line } of links) {
      const isOwn = a === position || b === position;
      if (!isOwn && line.length > 0 && fromPolyline(at, line) <= radius)
        flaws.push(`link ${a}–${b} runs through node ${position}`);
    }
  }
  for (const text of texts) {
    if (!isInside(text.box, sheet)) flaws.push(`'${text.text}' is off the sheet`);
    if (text.role === 'caption') continue;
    if (nodes.some(({ at, radius }) => boxNearPoint(text.box, at, radius)))
      flaws.push(`'${text.text}' is on a node`);
    const crossing = links.filter(({ line }) => line.length > 0 && polylineInBox(line, text.box));
    if (crossing.length > (text.role === 'weight' ? 1 : 0)) flaws.push(`'${text.text}' is crossed`);
  }
  const boxes = [
    ...texts.map(({ box, text }) => ({ box, text })),
    ...messages.filter(({ text }) => text !== '').map(({ box, text }) => ({ box, text: `message ${text}` })),
  ];
  for (const [k, one] of boxes.entries()) {
    for (const other of boxes.slice(k + 1)) {
      if (overlap(one.box, other.box)) flaws.push(`'${one.text}' touches '${other.text}'`);
    }
  }
  for (const { box, text } of messages) {
    if (text !== '' && nodes.some(({ at, radius }) => boxNearPoint(box, at, radius)))
      flaws.push(`message ${text} is on a node`);
  }
  return flaws;
}

function isInside(box: Box, sheet: Box): boolean {
  return (
    box.x >= sheet.x &&
    box.y >= sheet.y &&
    box.x + box.width <= sheet.x + sheet.width &&
    box.y + box.height <= sheet.y + sheet.height
  );
}

const sizes: PictureSize[] = ['slide', 'page'];

function flawsOfAll(run: NetworkDrawingOptions): string[] {
  return [1, 5].flatMap((frames, k) =>
    flawsOf(networkScene({ ...run, frames }, sizes[k])).map((flaw) => `${frames} frames: ${flaw}`),
  );
}

describe('pictures of networks', () => {
  it.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))(
    '%s: on its default network nothing touches, is crossed or is off the sheet',
    (_, algorithm) => {
      expect(flawsOfAll(recorded(algorithm))).toEqual([]);
    },
  );

  const networks: [string, SimulateOptions][] = [
    ...[1, 2, 3, 4, 5].map((seed): [string, SimulateOptions] => ['random:20', { nodes: 12, seed }]),
    ['random:40', { nodes: 24 }],
    ['random-tree', { nodes: 20 }],
    ['random-tree', { nodes: 30, seed: 2 }],
    ['line', { nodes: 9 }],
    ['star', { nodes: 9 }],
    ['tree', { nodes: 15 }],
    ['grid:4x5', {}],
    ['torus:4x4', {}],
    ['hypercube', { nodes: 16 }],
    ['ring', { nodes: 30 }],
    ['ring', { nodes: 2 }],
    ['complete', { nodes: 10 }],
    ['star', { nodes: 1 }],
  ];
  it.each(networks)(
    'echo election on %s %j: nothing touches, is crossed or is off the sheet',
    (topology, options) => {
      expect(flawsOfAll(recorded(algorithmNamed('echo-election'), { topology, ...options }))).toEqual([]);
    },
  );

  it.each([1, 2, 3, 17])('chang-roberts on a ring of %i: nothing touches or is off the sheet', (nodes) => {
    expect(flawsOfAll(recorded(algorithmNamed('chang-roberts'), { nodes, schedule: 'random' }))).toEqual([]);
  });

  it('the test sees a label on a node, a crossed label and nodes that touch', () => {
    const scene = networkScene(recorded(algorithmNamed('ghs'), { topology: 'random:12', nodes: 8 }));
    const [panel] = scene.panels;
    const moved = {
      ...panel,
      nodes: panel.nodes.map((node) => ({ ...node, at: { x: node.at.x / 8, y: node.at.y / 8 } })),
    };
    expect(flawsOf({ ...scene, panels: [moved] }).join()).toMatch(/nodes \d+ and \d+ touch/);
    const label = panel.texts.find(({ role }) => role === 'weight');
    if (label === undefined) throw new Error('no weight');
    const wide = { ...label, box: { x: 0, y: 0, width: scene.width, height: scene.height } };
    expect(flawsOf({ ...scene, panels: [{ ...panel, texts: [wide] }] }).join()).toMatch(
      /is on a node.*is crossed/,
    );
  });

  it('the same run gives the same picture', () => {
    const draw = () =>
      networkDrawing(recorded(algorithmNamed('flood-max'), { topology: 'random:20', nodes: 12 }));
    expect(draw()).toBe(draw());
  });

  it('more than 64 nodes, and frames that are no number, are refused', () => {
    const run = recorded(algorithmNamed('chang-roberts'), { nodes: 65 });
    expect(() => networkScene(run)).toThrow('at most 64 nodes, not 65');
    const small = recorded(algorithmNamed('chang-roberts'));
    expect(() => networkScene({ ...small, frames: 1.5 })).toThrow(
      'frames must be decisions or a whole number',
    );
  });
});

describe('what a picture of a network shows', () => {
  const scene = (name: string, options: SimulateOptions, frames: number | 'decisions' = 1) =>
    networkScene({ ...recorded(algorithmNamed(name), options), frames });
  const words = (drawn: NetworkScene) => drawn.texts.map(({ text }) => text);

  it('one leader at the end, and all others know it', () => {
    const [{ nodes }] = scene('chang-roberts', { nodes: 6 }).panels;
    expect(nodes.map(({ role }) => role).sort()).toEqual([...new Array(5).fill('follower'), 'leader']);
  });

  it('passive nodes of Peterson, and none of Chang and Roberts, who declare none', () => {
    const roles = (name: string) =>
      scene(name, { nodes: 8 }, 6).panels.flatMap(({ nodes }) => nodes.map(({ role }) => role));
    expect(roles('peterson')).toContain('passive');
    expect(roles('chang-roberts')).not.toContain('passive');
  });

  it('a frame has as many messages as are in flight', () => {
    const run = recorded(algorithmNamed('flood-max'), { topology: 'grid:3x3', schedule: 'random' });
    const { panels } = networkScene({ ...run, frames: 8 });
    expect(panels).toHaveLength(8);
    for (const panel of panels) {
      const [, step] =
        /step (\d+)/.exec(panel.texts.find(({ role }) => role === 'caption')?.text ?? '') ?? [];
      let [steps, flying] = [0, 0];
      for (const { type } of run.events) {
        if (['start', 'deliver', 'timer'].includes(type) && ++steps > Number(step)) break;
        flying += Number(type === 'send') - Number(type === 'deliver');
      }
      const drawn = panel.messages.filter(({ state }) => state === 'flying').length;
      expect(drawn + panel.omitted).toBeGreaterThanOrEqual(flying);
      expect(drawn).toBeLessThanOrEqual(flying);
    }
  });

  it('the number of frames that was asked for, the last at the end of the run', () => {
    const run = recorded(algorithmNamed('chang-roberts'), { nodes: 8, schedule: 'random' });
    const captions = networkScene({ ...run, frames: 5 }).panels.map(
      ({ texts }) => texts.find(({ role }) => role === 'caption')?.text ?? '',
    );
    expect(captions).toHaveLength(5);
    const [, last, all] = /step (\d+) of (\d+)/.exec(captions[4]) ?? [];
    expect(last).toBe(all);
  });

  it('with decisions, a frame for each moment at which a node decides', () => {
    const { panels } = scene('chang-roberts', { nodes: 4 }, 'decisions');
    const decided = panels.map(
      ({ nodes }) => nodes.filter(({ role }) => role === 'leader' || role === 'follower').length,
    );
    expect(decided).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ['chang-roberts', { nodes: 12 }],
    ['chang-roberts', { nodes: 9, schedule: 'random' }],
    ['tree-election', { nodes: 20, schedule: 'random' }],
  ] as const)('with many decisions, few frames that differ by two nodes or more: %s %j', (name, options) => {
    const { panels } = scene(name, options, 'decisions');
    expect(panels).toHaveLength(4);
    const decided = panels.map(({ nodes }) =>
      nodes.map(({ role }) => (role === 'leader' || role === 'follower' ? role : 'undecided')),
    );
    for (const [k, roles] of decided.entries()) {
      if (k === 0) continue;
      const changed = roles.filter((role, at) => role !== decided[k - 1][at]).length;
      expect(changed).toBeGreaterThan(1);
    }
    expect(decided.some((roles) => roles.includes('leader'))).toBe(true);
    expect(decided.at(-1)).not.toContain('undecided');
  });

  it('a field that varies rather than one that never does, and all that vary if there is room', () => {
    const tokens = (options: SimulateOptions, frames: number) => {
      const drawn = scene('itai-rodeh', options, frames);
      const { messages } = drawn.panels[0];
      return {
        legend: words(drawn).find((text) => text.startsWith('token')),
        texts: messages.map(({ text }) => text),
      };
    };
    const strip = tokens({ nodes: 8 }, 6);
    expect(strip.legend).toBe('token (round = 1, id, hops, unique; shown: id)');
    for (const text of strip.texts) expect(text).toMatch(/^t\d$/);
    const few = tokens({ nodes: 3 }, 2);
    expect(few.legend).toMatch(/; shown: round, id, hops\)$/);
    for (const text of few.texts) expect(text).toMatch(/^t\d,\d,\d$/);
  });

  it('each message in flight of Hirschberg and Sinclair with its label, whatever is swallowed beside it', () => {
    const { panels } = scene('hirschberg-sinclair', { nodes: 8 }, 6);
    const all = panels.flatMap(({ messages }) => messages);
    expect(all.filter(({ state }) => state === 'swallowed').length).toBeGreaterThan(5);
    expect(all.filter(({ state, text }) => state === 'flying' && text === '')).toEqual([]);
  });

  it('nine of ten messages in flight with their labels, over all algorithms', () => {
    const drawn = registry.map((algorithm) => networkScene({ ...recorded(algorithm), frames: 6 }));
    const flying = drawn
      .flatMap(({ panels }) => panels.flatMap(({ messages }) => messages))
      .filter(({ state }) => state === 'flying');
    expect(flying.filter(({ text }) => text !== '').length / flying.length).toBeGreaterThan(0.9);
  });

  it('what is swallowed below what is in flight', () => {
    const [, { messages }] = scene('hirschberg-sinclair', { nodes: 8 }, 6).panels;
    const labelled = messages.filter(({ state, text }) => state === 'flying' && text !== '').length;
    const swallowedLast = [...messages].sort(
      (a, b) => Number(a.state !== 'flying') - Number(b.state !== 'flying'),
    );
    const drawn = renderMessages(swallowedLast, PALETTES.light).join('');
    expect(drawn).toContain('opacity="0.55"');
    const above = drawn.slice(drawn.lastIndexOf('opacity="0.55"'));
    expect(above.match(/<rect/g)).toHaveLength(labelled);
  });

  it('fragments of GHS grow until one is left, with weights on the links', () => {
    const { panels } = scene('ghs', { topology: 'random:14', nodes: 9, schedule: 'random' }, 8);
    const names = panels.map(({ fragments }) => new Set(fragments.map(({ name }) => name)).size);
    expect(Math.max(...names)).toBeGreaterThan(0);
    expect(names.at(-1)).toBe(1);
    const weights = panels[0].texts.filter(({ role }) => role === 'weight').map(({ text }) => text);
    expect(weights.length).toBeGreaterThan(8);
    for (const weight of weights) expect(weight).toMatch(/^\d+–\d+$/);
    const tree = panels.at(-1)?.links.filter(({ isTree }) => isTree);
    expect(tree).toHaveLength(8);
  });

  it('in a complete network only links in use differ from idle ones', () => {
    const [first] = scene('bully', { nodes: 6, initiators: [1] }, 4).panels;
    const busy = first.links.filter(({ state }) => state === 'busy').map(({ a, b }) => [a, b].sort().join());
    const sent = first.messages
      .filter(({ state }) => state === 'flying')
      .map(({ from, to }) => [from, to].sort().join());
    expect(new Set(busy)).toEqual(new Set(sent));
    expect(first.links.some(({ state }) => state === 'idle')).toBe(true);
  });

  it('the rings of Sun inside one another, and a message on an inner ring', () => {
    const { panels } = scene('sun', { nodes: 16, set: { u: 2, depth: 2 } }, 4);
    expect(panels[0].junctions).toHaveLength(8 + 4);
    // 16 links on the ring, 8 on the second and 4 on the third.
    expect(panels[0].links).toHaveLength(28);
  });

  it('a crash, a lost message and a swallowed one', () => {
    const crashed = scene('bully', { nodes: 6, initiators: [1] }, 6);
    expect(crashed.panels.flatMap(({ nodes }) => nodes).some(({ isDead }) => isDead)).toBe(true);
    const states = crashed.panels.flatMap(({ messages }) => messages.map(({ state }) => state));
    expect(states).toContain('lost');
    expect(words(crashed)).toContain('crashed');
    const swallowed = scene('chang-roberts', { nodes: 8, order: 'descending' }, 8);
    expect(words(swallowed)).toContain('swallowed: nothing follows');
  });

  it('anonymous nodes show positions, never ids', () => {
    const drawn = scene('itai-rodeh', { nodes: 5 });
    expect(words(drawn).join()).toContain('numbers in nodes: positions');
    const ids = drawn.panels[0].nodes.map(({ name }) => name.text);
    expect(ids).toEqual(['0', '1', '2', '3', '4']);
  });

  it('a legend that names what occurs and nothing else', () => {
    const drawn = scene('chang-roberts', { nodes: 5 }, 3);
    expect(words(drawn)).toContain('token (id)');
    expect(words(drawn)).not.toContain('crashed');
    expect(words(drawn)).not.toContain('passive');
  });
});
