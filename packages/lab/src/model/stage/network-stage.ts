/**
 * The network of a run at its cursor, as data for a page: the panel with nodes and links, and every message on its way. The
 * geometry is computed once; a step costs as much as it shows.
 */

import type { Box, MessagePurpose, Point, Polyline, ScenePanel } from '@hustings/study/drawing';
import type { InFlightMessage } from '@hustings/study/driver';
import type { NetworkFrame } from '@hustings/study/internal/drawing/network/frames';
import { alongPolyline, lengthOf, trimmed } from '@hustings/study/internal/drawing/network/geometry';
import { layoutNetwork } from '@hustings/study/internal/drawing/network/layout/layout';
import type { NetworkLayout } from '@hustings/study/internal/drawing/network/layout/network-layout';
import {
  labelOfMessage,
  type MessageLabel,
  messageLabels,
} from '@hustings/study/internal/drawing/network/message-labels';
import { type PanelOptions, panelOf } from '@hustings/study/internal/drawing/network/panel';
import { type PanelGeometry, panelGeometry } from '@hustings/study/internal/drawing/network/panel-scale';
import { pillAround } from '@hustings/study/internal/drawing/network/pill';
import { nameOfNode } from '@hustings/study/internal/drawing/placed-text';
import { purposeOf, purposesOf } from '@hustings/study/internal/drawing/trace/purpose';
import type { Messages, Topology } from '@hustings/study/kernel';
import type { RunModel } from '../run/run-model.ts';
import type { RunSnapshot } from '../run/run-snapshot.ts';

/** A message on its way. */
export interface FlyingMessage {
  readonly message: InFlightMessage;
  readonly text: string;
  readonly purpose: MessagePurpose;
  /** From 0, at its sender, to 1, at its receiver. */
  readonly share: number;
}

/** Where a message is, and the direction of its travel in radians. */
export interface MessageSpot {
  readonly at: Point;
  readonly angle: number;
}

/** Where a message is drawn. */
export interface MessagePlace extends MessageSpot {
  /** From the edge of the sender to the message. */
  readonly tail: Polyline;
}

/** Above this number of nodes, phases, fragments and messages have no labels: they would cover one another. */
export const MAX_LABELLED_NODES = 60;
/** In a smaller node its name cannot be read. */
const MIN_RADIUS = 7;
/** The share of its way at which a message rests after it was sent, and at which it rests before it arrives. */
const FIRST_REST = 0.24;
const LAST_REST = 0.82;
/** A message at a crossing of two links, which is the middle of both, would cover another. */
const STAGGER = 0.07;

/** A page that is resized needs a new stage, with the same layout. */
const layouts = new WeakMap<Topology, NetworkLayout>();

/** The network of a run at its cursor. */
export class NetworkStage {
  readonly layout: NetworkLayout;
  readonly geometry: PanelGeometry;
  /** The font size of the labels of messages. */
  readonly labelSize: number;
  private readonly options: PanelOptions;
  private readonly labels: ReadonlyMap<string, MessageLabel>;
  private readonly routes = new Map<string, { readonly line: Polyline; readonly length: number }>();
  private readonly widths = new Map<string, number>();
  private used: {
    readonly version: number;
    readonly branch: number;
    readonly first: ReadonlyMap<string, number>;
  } | null = null;

  constructor(
    readonly model: RunModel,
    readonly box: Box,
    readonly text: number,
  ) {
    const { algorithm, ids, plan } = model;
    const purposes = purposesOf(algorithm);
    const { topology } = plan;
    this.layout = layouts.get(topology) ?? layoutNetwork(topology);
    layouts.set(topology, this.layout);
    this.labels = declaredLabels(algorithm.messages as Messages, (type) => purposeOf(type, purposes));
    const nameOf = nameOfNode(ids);
    const name = (position: number): string => (this.hasNames ? nameOf(position) : '');
    this.options = {
      ...{ topology, name, caption: null, isOneWay: topology.oneWay, layout: this.layout },
      labels: this.labels,
      labelled: [this.widestFrame()],
      weight: (a, b) => {
        const { weight } = algorithm;
        if (weight === undefined || ids === null) return null;
        return weight(Math.min(ids[a], ids[b]), Math.max(ids[a], ids[b]));
      },
    };
    this.geometry = panelGeometry(this.options, box, text);
    model.trace().prepare();
    this.labelSize = Math.max(10, Math.min(0.85 * text, 0.8 * this.geometry.radius));
  }

  /** Whether nodes are large enough for their names. */
  get hasNames(): boolean {
    return this.geometry.radius >= MIN_RADIUS;
  }

  /** Nodes, links, fragments and labels at the cursor, without messages. */
  panel(snapshot: RunSnapshot): ScenePanel {
    const { box, geometry, options, text } = this;
    return panelOf(this.frame(snapshot), options, box, text, geometry);
  }

  /** The messages in flight at the cursor. */
  messages({ messages, position }: RunSnapshot): FlyingMessage[] {
    const queues = new Map<number, number>();
    return messages.flatMap((message) => {
      const label = this.labels.get(message.message.type);
      if (label === undefined) return [];
      const ahead = queues.get(message.link) ?? 0;
      queues.set(message.link, ahead + 1);
      return [
        {
          message,
          text: labelOfMessage(message.message, label),
          purpose: label.purpose,
          share: this.restOf(message, position, ahead),
        },
      ];
    });
  }

  /** Where a message is drawn at a share of its way. Above 1 it stays at its receiver. */
  place(flying: FlyingMessage, share: number): MessagePlace {
    const { clear, length, line } = this.wayOf(flying);
    const along = clear + Math.min(1, share) * Math.max(0, length - 2 * clear);
    const tail = trimmed(line, this.geometry.radius + 1, Math.max(0, length - along));
    return { ...alongPolyline(line, along), tail };
  }

  /** The same by share and without the tail, for many messages in every frame. */
  track(flying: FlyingMessage): (share: number) => MessageSpot {
    const { clear, length, line } = this.wayOf(flying);
    const free = Math.max(0, length - 2 * clear);
    return (share) => alongPolyline(line, clear + Math.min(1, share) * free);
  }

  private wayOf({ message: { from, port, to }, text }: FlyingMessage) {
    const { length, line } = this.route(from, to, port);
    return { line, length, clear: Math.min(length / 2, this.geometry.radius + 0.5 * this.widthOf(text)) };
  }

  private widthOf(text: string): number {
    const known = this.widths.get(text);
    if (known !== undefined) return known;
    const { width } = pillAround(text, this.labelSize, { x: 0, y: 0 });
    this.widths.set(text, width);
    return width;
  }

  /** `port` is the receiver's. */
  private route(
    from: number,
    to: number,
    port: number,
  ): { readonly line: Polyline; readonly length: number } {
    const key = `${to} ${port}`;
    const known = this.routes.get(key);
    if (known !== undefined) return known;
    const sender = this.model.plan.topology.backPort(to, port);
    const line = this.layout.route(from, sender).map(this.geometry.toSheet);
    const route = { line, length: lengthOf(line) };
    this.routes.set(key, route);
    return route;
  }

  /** By the time that has passed of its flight. If its end is not known, by its place in the queue of its link. */
  private restOf(message: InFlightMessage, position: number, ahead: number): number {
    const trace = this.model.trace();
    const end = trace.endPosition(message, position);
    const stagger = (((message.from * 7 + message.to * 3) % 5) - 2) * (STAGGER / 2);
    if (end === null) return 0.62 - 0.3 * Math.min(1, ahead / 4) + stagger;
    const sent = trace.sentPosition(message);
    const [start, now, until] = [sent, position, end].map((at) => trace.at('units', at));
    const progress =
      until > start ? (now - start) / (until - start) : (position - sent) / Math.max(1, end - sent);
    return FIRST_REST + (LAST_REST - FIRST_REST) * Math.min(1, progress) + stagger;
  }

  private frame({ nodes, position, time }: RunSnapshot): NetworkFrame {
    const isLabelled = nodes.length <= MAX_LABELLED_NODES;
    return {
      step: position,
      time,
      nodes: nodes.map(({ fragment, isDead, phase, role, tree }) => ({
        ...{ isDead, role, tree },
        fragment: isLabelled ? fragment : null,
        phase: isLabelled ? phase : null,
        passive: role === 'passive',
      })),
      messages: [],
      used: this.usedBefore(position),
    };
  }

  /** Pairs of positions over which a message was sent before the cursor. */
  private usedBefore(position: number): Set<string> {
    const { branch } = this.model;
    if (this.used?.version !== branch.version || this.used.branch !== branch.id) {
      const first = new Map<string, number>();
      branch.path.forEach(({ events }, at) => {
        for (const event of events) {
          if (event.type !== 'send') continue;
          const pair = `${event.node}>${event.to}`;
          if (!first.has(pair)) first.set(pair, at);
        }
      });
      this.used = { version: branch.version, branch: branch.id, first };
    }
    return new Set([...this.used.first].flatMap(([pair, at]) => (at < position ? [pair] : [])));
  }

  /** A frame with every label that the run will need room for. */
  private widestFrame(): NetworkFrame {
    const { algorithm } = this.model;
    const phase = algorithm.phase === undefined ? null : 'round 10';
    const fragment = algorithm.fragment === undefined ? null : 'fragment';
    const node = { role: 'awake', isDead: false, passive: false, fragment, tree: [] } as const;
    // Two different phases: one that is common to all needs no room at the nodes.
    const nodes = [
      { ...node, phase },
      { ...node, phase: phase && 'round 11' },
    ];
    return { step: 0, time: 0, nodes, messages: [], used: new Set() };
  }
}

/**
 * Labels depend on the names of types and fields, which are declared: they do not change during a run. A letter precedes the
 * value if several types have the same purpose, which is what their shapes show.
 */
function declaredLabels(
  declared: Messages,
  purposeOfType: (type: string) => MessagePurpose,
): ReadonlyMap<string, MessageLabel> {
  const types = Object.entries(declared).map(([type, { fields }]) => ({
    ...Object.fromEntries(fields),
    type,
  }));
  const purposes = new Set(types.map(({ type }) => purposeOfType(type)));
  return new Map(
    [...purposes].flatMap((purpose) => [
      ...messageLabels(
        types.filter(({ type }) => purposeOfType(type) === purpose),
        purposeOfType,
        1,
      ),
    ]),
  );
}
