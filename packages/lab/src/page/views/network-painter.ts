/** Draws the network of a run into its elements and moves its messages, without rendering. */
import type { ScenePanel } from '@hustings/study/drawing';
import { changedParts, type PanelPart } from '@hustings/study/internal/drawing/network/render-network';
import type { RunModel } from '../../model/run/run-model.ts';
import type { RunSnapshot } from '../../model/run/run-snapshot.ts';
import type { Axis } from '../../model/run/run-trace.ts';
import { motionsOf } from '../../model/stage/message-motion.ts';
import {
  type FlyingMessage,
  MAX_LABELLED_NODES,
  type NetworkStage,
} from '../../model/stage/network-stage.ts';
import { CanvasMessageLayer, type MessageLayer, SVG, SvgMessageLayer } from './message-layer.ts';
import { animate } from './motion.ts';
import { PAGE_PALETTE } from './page-palette.ts';

/** Above this number of messages, or of nodes with labels, messages are dots on a canvas. */
const MAX_ELEMENTS = 120;
/** Milliseconds of a step at speed 1, as it is played. */
const FLIGHT: Readonly<Record<Axis, number>> = { units: 600, steps: 400 };
/** Nodes change when the messages have arrived. */
const ARRIVED = 0.6;
/** In a large network a step changes hundreds of links and nodes. They change in some frames, not in one. */
const PARTS_PER_FRAME = 30;
/** A jump over more steps than this is not animated, unless they belong to one instant. */
const MAX_STEPS = 8;

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
  private frame = 0;
  /** The layer that has drawn last. */
  private layer: MessageLayer | null = null;
  /** The panel that was drawn last, and the element of each of its parts. */
  private panel: ScenePanel | null = null;
  /** The parts that are not yet drawn as in the panel, by their place: a part that changes again is drawn once. */
  private readonly changed = new Map<number, PanelPart>();
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
      this.planPanel(snapshot);
      this.drawParts(this.changed.size);
      layer.show(motionsOf([], flying, []), 1);
      this.layer = layer;
      return;
    }
    const { nodes, position } = before.snapshot;
    const events = model.steps.slice(position, snapshot.position).flatMap((step) => step.events);
    const states = nodes.map(
      ({ position: node, state }) => ({ type: 'state', time: 0, node, state }) as const,
    );
    // On the canvas a message that was swallowed looks like one that was delivered.
    const shown =
      layer === this.canvas ? events.filter(({ type }) => type === 'lost') : [...states, ...events];
    const motions = motionsOf(before.flying, flying, shown);
    if (layer !== this.layer) layer.show(motions, 0);
    this.layer = layer;
    let isPlanned = false;
    this.end = animate(speed === 0 ? 0 : FLIGHT[axis] / speed, (time) => {
      layer.show(motions, time);
      // Without motion there is one call.
      const isAtOnce = time === 1 && !isPlanned;
      if (time >= ARRIVED && !isPlanned) {
        isPlanned = true;
        this.planPanel(snapshot);
      }
      if (isAtOnce) this.drawParts(this.changed.size);
      else if (time < 1) this.drawParts(PARTS_PER_FRAME);
      else this.drawRest();
    });
  }

  /** Ends the motion. What is not drawn yet is drawn with the next change. */
  stop(): void {
    this.end();
    cancelAnimationFrame(this.frame);
  }

  private layerFor(messages: number): MessageLayer {
    const isDense = this.stage.model.plan.topology.n > MAX_LABELLED_NODES || messages > MAX_ELEMENTS;
    const [used, other] = isDense ? [this.canvas, this.svg] : [this.svg, this.canvas];
    other.show([], 1);
    return used;
  }

  /** Finds the parts of the panel that change. */
  private planPanel(snapshot: RunSnapshot): void {
    const panel = this.stage.panel(snapshot);
    const changed = changedParts(panel, this.panel, PAGE_PALETTE);
    for (const part of changed) this.changed.set(part.at, part);
    if (this.panel === null) {
      this.parts = changed.map(() => ({ group: document.createElementNS(SVG, 'g'), html: '' }));
      this.elements.panel.replaceChildren(...this.parts.map(({ group }) => group));
    }
    this.panel = panel;
  }

  /** After the motion. */
  private drawRest(): void {
    this.drawParts(PARTS_PER_FRAME);
    if (this.changed.size > 0) this.frame = requestAnimationFrame(() => this.drawRest());
  }

  private drawParts(count: number): void {
    let left = count;
    for (const [at, { render }] of this.changed) {
      if (left-- === 0) return;
      this.changed.delete(at);
      const html = render().join('');
      const drawn = this.parts[at];
      if (drawn.html === html) continue;
      drawn.html = html;
      drawn.group.innerHTML = html;
    }
  }
}

/** Whether a snapshot comes one step, a few, or one instant after another in the same history. */
function isNext(model: RunModel, before: RunSnapshot, now: RunSnapshot): boolean {
  const passed = now.position - before.position;
  return (
    passed > 0 &&
    (passed <= MAX_STEPS || now.position <= model.instantEnd(before.position)) &&
    (model.steps[before.position - 1] ?? null) === before.last
  );
}
