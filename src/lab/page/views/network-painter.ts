/** Draws the network of a run into its elements and moves its messages, without rendering. */
import { panelParts } from '../../../drawing/network/render-network.ts';
import type { RunModel } from '../../model/run/run-model.ts';
import type { RunSnapshot } from '../../model/run/run-snapshot.ts';
import type { Axis } from '../../model/run/run-trace.ts';
import { motionsOf } from '../../model/stage/message-motion.ts';
import {
  type FlyingMessage,
  MOST_LABELLED_NODES,
  type NetworkStage,
} from '../../model/stage/network-stage.ts';
import { CanvasMessageLayer, type MessageLayer, SVG, SvgMessageLayer } from './message-layer.ts';
import { animate } from './motion.ts';
import { PAGE_PALETTE } from './page-palette.ts';

/** Above this number of messages, or of nodes with labels, messages are dots on a canvas. */
const MOST_ELEMENTS = 120;
/** Milliseconds of a step at speed 1, as it is played. */
const FLIGHT: Readonly<Record<Axis, number>> = { units: 600, steps: 400 };
/** Nodes change when the messages have arrived. */
const ARRIVED = 0.6;
/** A jump over more steps than this is not animated, unless they belong to one instant. */
const MOST_STEPS = 8;

export interface NetworkElements {
  readonly panel: SVGGElement;
  readonly tails: SVGGElement;
  readonly pills: SVGGElement;
  readonly canvas: HTMLCanvasElement;
}

/** Draws the network of a run. */
export class NetworkPainter {
  private readonly svg: MessageLayer;
  private readonly canvas: MessageLayer;
  private shown: { readonly snapshot: RunSnapshot; readonly flying: readonly FlyingMessage[] } | null = null;
  private end = (): void => {};
  /** The parts of the panel as they were drawn last, each with its element. */
  private parts: { readonly group: SVGGElement; html: string }[] = [];

  constructor(
    private readonly stage: NetworkStage,
    private readonly elements: NetworkElements,
  ) {
    this.svg = new SvgMessageLayer(stage, elements.tails, elements.pills);
    this.canvas = new CanvasMessageLayer(stage, elements.canvas);
  }

  /** Shows the run at its cursor. A step forward is animated, if `speed` is not 0. */
  show(snapshot: RunSnapshot, speed: number, axis: Axis): void {
    this.stop();
    const { model } = this.stage;
    const before = this.shown;
    const flying = this.stage.messages(snapshot);
    this.shown = { snapshot, flying };
    const layer = this.layerFor(flying.length);
    if (before === null || !isNext(model, before.snapshot, snapshot)) {
      this.drawPanel(snapshot);
      layer.show(motionsOf([], flying, []), 1);
      return;
    }
    const { nodes, position } = before.snapshot;
    const motions = motionsOf(before.flying, flying, [
      ...nodes.map(({ position: node, state }) => ({ type: 'state', time: 0, node, state }) as const),
      ...model.steps.slice(position, snapshot.position).flatMap(({ events }) => events),
    ]);
    let isPanelDrawn = false;
    this.end = animate(speed === 0 ? 0 : FLIGHT[axis] / speed, (time) => {
      layer.show(motions, time);
      if (isPanelDrawn || time < ARRIVED) return;
      isPanelDrawn = true;
      this.drawPanel(snapshot);
    });
  }

  stop(): void {
    this.end();
  }

  private layerFor(messages: number): MessageLayer {
    const isDense = this.stage.model.plan.topology.n > MOST_LABELLED_NODES || messages > MOST_ELEMENTS;
    const [used, other] = isDense ? [this.canvas, this.svg] : [this.svg, this.canvas];
    other.show([], 1);
    return used;
  }

  private drawPanel(snapshot: RunSnapshot): void {
    const parts = panelParts(this.stage.panel(snapshot), PAGE_PALETTE);
    if (this.parts.length !== parts.length) {
      this.parts = parts.map(() => ({ group: document.createElementNS(SVG, 'g'), html: '' }));
      this.elements.panel.replaceChildren(...this.parts.map(({ group }) => group));
    }
    parts.forEach((elements, k) => {
      const html = elements.join('');
      const part = this.parts[k];
      if (part.html === html) return;
      part.html = html;
      part.group.innerHTML = html;
    });
  }
}

/** Whether a snapshot comes one step, a few, or one instant after another in the same history. */
function isNext(model: RunModel, before: RunSnapshot, now: RunSnapshot): boolean {
  const passed = now.position - before.position;
  return (
    passed > 0 &&
    (passed <= MOST_STEPS || now.position <= model.instantEnd(before.position)) &&
    (model.steps[before.position - 1] ?? null) === before.last
  );
}
