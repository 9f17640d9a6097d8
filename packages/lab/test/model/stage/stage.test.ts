/** What the drawings of a run show at its cursor. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../../study/src/algorithms/index.ts';
import { panelParts } from '../../../../study/src/drawing/network/render-network.ts';
import { PALETTES } from '../../../../study/src/drawing/style.ts';
import type { SimulateOptions } from '../../../../study/src/simulator/index.ts';
import { RunModel } from '../../../src/model/run/run-model.ts';
import { findAlgorithm } from '../../../src/model/setup/algorithm-list.ts';
import { motionsOf, shareAt } from '../../../src/model/stage/message-motion.ts';
import { NetworkStage } from '../../../src/model/stage/network-stage.ts';
import {
  positionAtX,
  timelineOfRun,
  timeView,
  windowAt,
  xOfPosition,
} from '../../../src/model/stage/time-stage.ts';

const BOX = { x: 0, y: 0, width: 380, height: 360 };
const AREA = { left: 30, width: 600, height: 400, text: 13 };

function modelOf(name: string, options: SimulateOptions = {}): RunModel {
  const algorithm = findAlgorithm(name);
  if (algorithm === undefined) throw new Error(`there is no ${name}`);
  return RunModel.of(algorithm, options);
}

describe('the network at the cursor', () => {
  it('redraws only the parts of a panel that changed', () => {
    const model = modelOf('chang-roberts', { nodes: 80 });
    const stage = new NetworkStage(model, { ...BOX, width: 2000, height: 1500 }, 13);
    const partsAt = (position: number): string[] => {
      model.seek(position);
      return panelParts(stage.panel(model.snapshot()), PALETTES.light).map((part) => part.join(''));
    };
    const first = partsAt(0);
    expect(partsAt(model.length)).toHaveLength(first.length);
    const changed = partsAt(1).flatMap((part, k) => (part === first[k] ? [] : [k]));
    // The node that started, and the link over which it sends.
    expect(changed).toHaveLength(2);
  });

  it('leaves phases and fragments out above 60 nodes', () => {
    for (const [nodes, isLabelled] of [
      [60, true],
      [61, false],
    ] as const) {
      const model = modelOf('echo-election', { nodes, topology: 'tree' });
      const stage = new NetworkStage(model, { ...BOX, width: 2000, height: 1500 }, 13);
      model.seek(model.length);
      expect(stage.panel(model.snapshot()).fragments.length > 0, String(nodes)).toBe(isLabelled);
    }
  });

  it('draws every node inside its box, for every algorithm of the catalogue', () => {
    for (const { name } of registry) {
      const model = modelOf(name);
      const stage = new NetworkStage(model, BOX, 13);
      for (const position of [0, model.length >> 1, model.length]) {
        model.seek(position);
        const { nodes } = stage.panel(model.snapshot());
        expect(nodes, name).toHaveLength(model.plan.topology.n);
        for (const { at, radius } of nodes) {
          expect(at.x - radius, name).toBeGreaterThanOrEqual(-1);
          expect(at.x + radius, name).toBeLessThanOrEqual(BOX.width + 1);
        }
      }
    }
  });

  it('places every message in flight between its sender and its receiver, older ones of a link ahead', () => {
    const model = modelOf('lelann', { nodes: 6, schedule: 'random', seed: 3 });
    const stage = new NetworkStage(model, BOX, 13);
    for (let position = 0; position <= model.length; position++) {
      model.seek(position);
      const snapshot = model.snapshot();
      const flying = stage.messages(snapshot);
      expect(flying.map(({ message }) => message)).toEqual(snapshot.messages);
      const shares = new Map<number, number>();
      for (const { message, share } of flying) {
        expect(share).toBeGreaterThan(0);
        expect(share).toBeLessThan(1);
        expect(share).toBeLessThanOrEqual(shares.get(message.link) ?? 1);
        shares.set(message.link, share);
      }
    }
  });

  it('shows values alone where shapes tell the types apart, and a letter where they do not', () => {
    const texts = (name: string): string[] => {
      const model = modelOf(name, { nodes: 4 });
      model.seek(5);
      return new NetworkStage(model, BOX, 13).messages(model.snapshot()).map(({ text }) => text);
    };
    expect(texts('chang-roberts').every((text) => /^\d+$/.test(text))).toBe(true);
    expect(texts('bully').every((text) => /^[a-z]+\d+$/.test(text))).toBe(true);
  });
});

describe('messages move from one step to the next', () => {
  it('a message that is swallowed is told from one that causes another', () => {
    const model = modelOf('chang-roberts', { ids: [1, 3, 2], schedule: 'random', seed: 1 });
    const stage = new NetworkStage(model, BOX, 13);
    const fates = new Set<string>();
    for (let position = 3; position < model.length; position++) {
      model.seek(position);
      const before = model.snapshot();
      const flying = stage.messages(before);
      model.forward();
      const motions = motionsOf(flying, stage.messages(model.snapshot()), [
        ...before.nodes.map(
          ({ position: node, state }) => ({ type: 'state', time: 0, node, state }) as const,
        ),
        ...model.steps[position].events,
      ]);
      const ended = motions.filter(({ fate }) => fate !== 'flying');
      expect(ended).toHaveLength(1);
      expect(shareAt(ended[0], 1)).toBe(1);
      const sends = model.steps[position].events.some(({ type }) => type === 'send' || type === 'decide');
      expect(ended[0].fate).toBe(sends ? 'delivered' : 'swallowed');
      fates.add(ended[0].fate);
    }
    expect(fates).toEqual(new Set(['delivered', 'swallowed']));
  });
});

describe('the axis of time', () => {
  it('a point on the axis leads back to the position that is drawn there', () => {
    const model = modelOf('chang-roberts', { nodes: 8, schedule: 'random', seed: 4 });
    const view = timeView(model, 'steps', windowAt(model, 'steps', AREA), AREA);
    for (let position = 8; position <= model.length; position++) {
      const x = xOfPosition(model, view, position);
      expect(x).not.toBeNull();
      expect(positionAtX(model, view, (x ?? 0) + 0.01)).toBe(position);
    }
  });

  it('a long run scrolls: the cursor is always in the window', () => {
    const model = modelOf('lelann', { nodes: 16, schedule: 'random', seed: 4 });
    for (let position = 0; position <= model.length; position += 7) {
      model.seek(position);
      const view = timeView(model, 'steps', windowAt(model, 'steps', AREA), AREA);
      expect(xOfPosition(model, view, position)).not.toBeNull();
    }
  });
});

describe('what caused a message', () => {
  it('a token that went twice round leads back to the start of its owner', () => {
    const model = modelOf('chang-roberts', { ids: [2, 1], schedule: 'random', seed: 1 });
    const timeline = timelineOfRun(model, 'steps');
    const tokens = timeline.transfers.filter(({ message }) => message.type === 'token' && message.id === 2);
    expect(tokens).toHaveLength(2);
    const [first, second] = tokens.map(({ sending }) => sending);
    const causality = model.trace().causality();
    expect(causality.sendsBefore(first)).toEqual([]);
    expect(causality.sendsAfter(first)).toEqual([second]);
    expect(causality.sendsBefore(second)).toEqual([first]);
  });
});
