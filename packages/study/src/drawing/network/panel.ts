/** One moment of a run on a part of the sheet: the layout scaled to it, with nodes, messages and labels. */
import type { Topology } from '../../kernel/network/topology.ts';
import { placeText } from '../placed-text.ts';
import type { Point } from '../svg.ts';
import { type Box, grown, overlap, textWidth } from '../text-box.ts';
import { fragmentGroups } from './fragment-groups.ts';
import type { FrameMessage, NetworkFrame } from './frames.ts';
import {
  alongPolyline,
  boxNearPoint,
  fromPolyline,
  lengthOf,
  type Polyline,
  polylineInBox,
  trimmed,
} from './geometry.ts';
import type { NetworkLayout } from './layout/network-layout.ts';
import { labelOfMessage, type MessageLabel } from './message-labels.ts';
import type {
  NetworkText,
  SceneFragment,
  SceneLink,
  SceneMessage,
  SceneNode,
  ScenePanel,
} from './network-scene.ts';
import { commonPhase, type PanelGeometry, PHASE_SIZE, panelGeometry } from './panel-scale.ts';
import { pillAround } from './pill.ts';

export interface PanelOptions {
  readonly topology: Topology;
  readonly layout: NetworkLayout;
  readonly isOneWay: boolean;
  /** The name of a position: its id, or the position if nodes are anonymous; '' for a node without a name. */
  name(position: number): string;
  /** The weight of the link between two positions; null if it has none. */
  weight(a: number, b: number): string | null;
  readonly labels: ReadonlyMap<string, MessageLabel>;
  /** All frames of the strip: their labels need room in each panel, so that all have the same scale. */
  readonly labelled: readonly NetworkFrame[];
  /** Null for a single frame. */
  readonly caption: string | null;
}

/** Places a frame in a box. A page that draws many frames computes the geometry once. */
export function panelOf(
  frame: NetworkFrame,
  options: PanelOptions,
  box: Box,
  text: number,
  geometry = panelGeometry(options, box, text),
): ScenePanel {
  return new PanelBuilder(frame, options, box, text, geometry).build();
}

/** Shifts along the way of a message, as shares of it, in order of preference. */
const TURNS = [0, -0.1, 0.1, -0.18, 0.18, -0.26, 0.26, -0.34, 0.34, -0.42, 0.42];

class PanelBuilder {
  private readonly texts: NetworkText[] = [];
  private readonly messages: SceneMessage[] = [];
  private readonly toSheet: (point: Point) => Point;
  private readonly centres: readonly Point[];
  private readonly radius: number;
  private readonly lines: readonly Polyline[];
  private readonly edges: readonly Polyline[];
  private omitted = 0;

  constructor(
    private readonly frame: NetworkFrame,
    private readonly options: PanelOptions,
    private readonly box: Box,
    private readonly text: number,
    { centres, edges, lines, radius, toSheet }: PanelGeometry,
  ) {
    this.toSheet = toSheet;
    this.centres = centres;
    this.lines = lines;
    this.edges = edges;
    this.radius = radius;
  }

  build(): ScenePanel {
    const { box, text, options } = this;
    if (options.caption !== null) {
      const x = box.x + box.width / 2;
      this.texts.push(
        placeText({
          text: options.caption,
          role: 'caption',
          x,
          y: box.y + 0.7 * text,
          size: 0.9 * text,
          anchor: 'middle',
        }),
      );
    }
    this.writeWeights();
    this.placeMessages();
    const fragments = this.fragments();
    this.writePhases();
    return {
      ...box,
      ...{ text, fragments, links: this.links(), junctions: options.layout.junctions.map(this.toSheet) },
      ...{ nodes: this.nodes(), messages: this.messages, texts: this.texts, omitted: this.omitted },
    };
  }

  private nodes(): SceneNode[] {
    const { frame, radius } = this;
    return frame.nodes.map(({ role, isDead }, position) => {
      const at = this.centres[position];
      const text = this.options.name(position);
      const usual = Math.min(1.25 * this.text, 1.15 * radius);
      const size = Math.min(usual, (1.7 * radius * usual) / textWidth(text, usual));
      const isBold = role === 'candidate' || role === 'leader';
      const name = placeText({ text, role: 'id', ...at, size, anchor: 'middle', isBold });
      return { position, at, radius, role, isDead, name };
    });
  }

  private links(): SceneLink[] {
    const { edges, frame, options, lines } = this;
    const flying = frame.messages.filter(({ state }) => state === 'flying');
    return options.layout.links.map(({ a, b }, k) => {
      const joins = (from: number, to: number) => (from === a && to === b) || (from === b && to === a);
      const isBusy = flying.some(
        (message) => joins(message.from, message.to) && this.isOn(message, lines[k]),
      );
      const isUsed = frame.used.has(`${a}>${b}`) || frame.used.has(`${b}>${a}`);
      const state = isBusy ? 'busy' : isUsed ? 'used' : 'idle';
      return { a, b, line: edges[k], state, isTree: this.isTree(a, b), isOneWay: options.isOneWay };
    });
  }

  private isTree(a: number, b: number): boolean {
    const { topology } = this.options;
    const leads = (from: number, to: number) =>
      this.frame.nodes[from].tree.some((port) => topology.neighbour(from, port) === to);
    return leads(a, b) || leads(b, a);
  }

  private isOn({ from, port }: FrameMessage, line: Polyline): boolean {
    const route = this.route(from, port);
    return fromPolyline(alongPolyline(route, lengthOf(route) / 2).at, line) < 1;
  }

  private route(from: number, port: number): Polyline {
    return this.options.layout.route(from, port).map(this.toSheet);
  }

  private writeWeights(): void {
    this.options.layout.links.forEach(({ a, b }, k) => {
      const text = this.options.weight(a, b);
      if (text === null) return;
      const size = 0.75 * this.text;
      const line = this.lines[k];
      for (const share of [0.5, 0.42, 0.58, 0.34, 0.66]) {
        const { at } = alongPolyline(line, share * lengthOf(line));
        const placed = placeText({ text, role: 'weight', x: at.x, y: at.y, size, anchor: 'middle' });
        if (!this.isFree(grown(placed.box, 1), [k])) continue;
        this.texts.push(placed);
        return;
      }
      this.omitted++;
    });
  }

  /** What flies has the first choice of places, and what was swallowed the last. */
  private placeMessages(): void {
    const groups = new Map<string, FrameMessage[]>();
    for (const message of this.frame.messages) {
      const key = `${message.from} ${message.port} ${message.state}`;
      groups.set(key, [...(groups.get(key) ?? []), message]);
    }
    const unlabelled: FrameMessage[] = [];
    for (const state of ['flying', 'lost', 'swallowed']) {
      for (const group of groups.values()) {
        if (group[0].state !== state) continue;
        const shown = group.length > 3 ? group.slice(0, 2) : group;
        unlabelled.push(...shown.filter((message, k) => !this.placeLabel(message, k, shown.length)));
        this.omitted += group.length - shown.length;
      }
    }
    this.omitted += unlabelled.length;
    for (const message of unlabelled) this.placeHead(message);
  }

  /** Tries places along the way, the natural one first, then beside it. False if none is free. */
  private placeLabel(message: FrameMessage, k: number, count: number): boolean {
    const { frame, radius } = this;
    const label = this.options.labels.get(message.message.type);
    if (label === undefined) return true;
    const route = this.route(message.from, message.port);
    const length = lengthOf(route);
    const text = labelOfMessage(message.message, label);
    const size = this.labelSize;
    const { width, height } = pillAround(text, size, { x: 0, y: 0 });
    const [first, last] = [radius + 0.4 * width, length - radius - 0.6 * width];
    const [start, end] = first < last ? [first, last] : [length / 2, length / 2];
    const natural = shareOf(message) + (k - (count - 1) / 2) * 0.24;
    const isOpposed = frame.messages.some(
      ({ from, to, state }) => from === message.to && to === message.from && state === 'flying',
    );
    for (const aside of isOpposed ? [0.6, 1.05, 0, -0.6] : [0, 0.6, -0.6, 1.05, -1.05]) {
      for (const turn of TURNS) {
        const share = natural + turn;
        if (share < 0.02 || share > 0.98) continue;
        const along = start + share * (end - start);
        const { at: onLine, angle } = alongPolyline(route, along);
        const off = aside * height;
        const at = { x: onLine.x - Math.sin(angle) * off, y: onLine.y + Math.cos(angle) * off };
        const box = pillAround(text, size, at);
        if (!this.isFreeOfMarks(box)) continue;
        const tail = trimmed(route, radius + 1, Math.max(0, length - along));
        this.messages.push({ ...placedAt(message, label), at, angle, box, text, tail });
        return true;
      }
    }
    return false;
  }

  /** Without room for its label, a message is an arrow head where no label hides it. */
  private placeHead(message: FrameMessage): void {
    const { radius, labelSize: size } = this;
    const label = this.options.labels.get(message.message.type);
    if (label === undefined) return;
    const route = this.route(message.from, message.port);
    const length = lengthOf(route);
    const boxAt = ({ x, y }: Point) => ({
      x: x - 0.3 * size,
      y: y - 0.3 * size,
      width: 0.6 * size,
      height: 0.6 * size,
    });
    const places = message.state === 'flying' ? TURNS.map((turn) => (0.5 + turn) * length) : [];
    const along =
      places.find((place) => this.isFreeOfMarks(boxAt(alongPolyline(route, place).at))) ??
      (message.state === 'flying' ? length / 2 : length - radius - 0.3 * size);
    const { at, angle } = alongPolyline(route, along);
    const tail = trimmed(route, radius + 1, length - along);
    this.messages.push({ ...placedAt(message, label), at, angle, box: boxAt(at), text: '', tail });
  }

  private get labelSize(): number {
    return Math.max(0.8 * this.text, 10);
  }

  /** Whether a box touches no node, no message and no text. */
  private isFreeOfMarks(box: Box): boolean {
    return (
      !this.messages.some((other) => overlap(grown(other.box, 2), box)) &&
      !this.texts.some((other) => overlap(other.box, box)) &&
      !this.centres.some((centre) => boxNearPoint(box, centre, this.radius + 2))
    );
  }

  /** Connected nodes with the same fragment, and a name at each group. */
  private fragments(): SceneFragment[] {
    const { frame, options, radius } = this;
    const hasTree = frame.nodes.some(({ tree }) => tree.length > 0);
    return fragmentGroups(frame, options.layout).map(({ name, members }) => {
      const lines = options.layout.links.flatMap(({ a, b }, k) => {
        const isInside = members.includes(a) && members.includes(b);
        return isInside && (!hasTree || this.isTree(a, b)) ? [this.lines[k]] : [];
      });
      const points = members.map((at) => this.centres[at]);
      const tries = points.map((at) => ({ at, reach: radius * 1.5 }));
      this.writeBeside(name, 'fragment', 0.8 * this.text, tries);
      return { name, points, lines, radius: radius * 1.45 };
    });
  }

  private writePhases(): void {
    const size = PHASE_SIZE * this.text;
    if (commonPhase(this.frame) !== null) return;
    this.frame.nodes.forEach(({ phase, isDead }, position) => {
      if (phase === null || isDead) return;
      const { fragment, role } = this.frame.nodes[position];
      const reach = this.radius * (fragment !== null ? 1.5 : role === 'leader' ? 1.25 : 1.1);
      this.writeBeside(phase, 'phase', size, [{ at: this.centres[position], reach }]);
    });
  }

  /** Writes a text beside one of the points, away from the middle first, or leaves it out. */
  private writeBeside(
    text: string,
    role: NetworkText['role'],
    size: number,
    places: readonly { readonly at: Point; readonly reach: number }[],
  ): void {
    const middle = { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 };
    for (const gap of [3, 8]) {
      for (const { at, reach } of places) {
        const outward = Math.atan2(at.y - middle.y, at.x - middle.x);
        for (let turn = 0; turn < 16; turn++) {
          const angle = outward + (turn % 2 === 0 ? 1 : -1) * Math.ceil(turn / 2) * (Math.PI / 8);
          const placed = besideAt(text, role, size, at, reach + gap, angle);
          if (!this.isFree(grown(placed.box, 1), [])) continue;
          this.texts.push(placed);
          return;
        }
      }
    }
    this.omitted++;
  }

  /** Whether a box touches no node, no link but those given, no message, no text, and is inside the panel. */
  private isFree(box: Box, except: readonly number[]): boolean {
    const { x, y, width, height } = this.box;
    return (
      box.x >= x &&
      box.y >= y &&
      box.x + box.width <= x + width &&
      box.y + box.height <= y + height &&
      !this.centres.some((centre) => boxNearPoint(box, centre, this.radius + 1)) &&
      !this.lines.some((line, k) => !except.includes(k) && polylineInBox(line, box)) &&
      !this.messages.some((message) => overlap(message.box, box)) &&
      !this.texts.some((text) => overlap(text.box, box))
    );
  }
}

/** The text box that touches a circle around a point at this angle. */
function besideAt(
  text: string,
  role: NetworkText['role'],
  size: number,
  at: Point,
  reach: number,
  angle: number,
): NetworkText {
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const width = textWidth(text, size);
  const x = at.x + dx * (reach + width / 2);
  const y = at.y + dy * (reach + 0.6 * size);
  return placeText({ text, role, x, y, size, anchor: 'middle' });
}

function placedAt({ from, to, state }: FrameMessage, { purpose }: MessageLabel) {
  return { from, to, state, purpose };
}

/** Where a message is on its way, between the nodes. A message that has just left is drawn in the middle. */
function shareOf({ state, progress }: FrameMessage): number {
  if (state === 'swallowed') return 0.97;
  if (state === 'lost') return 0.6;
  return progress === null || progress === 0 ? 0.5 : 0.15 + 0.7 * progress;
}
