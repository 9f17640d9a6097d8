/**
 * A picture of a network as data: nodes, links, messages, fragments, labels and legend with their coordinates. It holds no
 * colours and no SVG; `render-network.ts` writes it as SVG, and a page may draw it by other means.
 */
import type { PlacedText } from '../placed-text.ts';
import type { Point } from '../svg.ts';
import type { Box } from '../text-box.ts';
import type { MessagePurpose } from '../trace/purpose.ts';
import type { NodeRole } from './frames.ts';
import type { Polyline } from './geometry.ts';

/** A text of a picture of a network. */
export interface NetworkText extends PlacedText {
  readonly role:
    | 'title'
    | 'subtitle'
    | 'caption'
    | 'id'
    | 'phase'
    | 'fragment'
    | 'weight'
    | 'message'
    | 'legend'
    | 'note';
}

/** The mark of a node with its place. */
export interface NodeGlyph {
  readonly at: Point;
  readonly radius: number;
  readonly role: NodeRole;
  readonly isDead: boolean;
}

/** A node with its mark and its name. */
export interface SceneNode extends NodeGlyph {
  readonly position: number;
  /** Its id, or its position if nodes are anonymous. */
  readonly name: NetworkText;
}

/** A link between two nodes. */
export interface SceneLink {
  readonly a: number;
  readonly b: number;
  readonly line: Polyline;
  /** busy: a message is on it; used: a message has been on it; idle: neither. */
  readonly state: 'busy' | 'used' | 'idle';
  /** It belongs to the tree of a fragment or wave. */
  readonly isTree: boolean;
  /** A link of a one-way ring has a head at its end. */
  readonly isOneWay: boolean;
}

/** A message on its way, or one that has just ended. */
export interface SceneMessage {
  readonly from: number;
  readonly to: number;
  readonly at: Point;
  /** The direction of travel, in radians. */
  readonly angle: number;
  readonly box: Box;
  /** '' if there is no room for it. */
  readonly text: string;
  readonly purpose: MessagePurpose;
  readonly state: 'flying' | 'swallowed' | 'lost';
  /** From the sender to the message. */
  readonly tail: Polyline;
}

/** The nodes of a fragment and the links between them, outlined at this distance. */
export interface SceneFragment {
  readonly name: string;
  readonly points: readonly Point[];
  readonly lines: readonly Polyline[];
  readonly radius: number;
}

/** One moment of a run. */
export interface ScenePanel extends Box {
  /** The size of all labels in the panel. */
  readonly text: number;
  readonly fragments: readonly SceneFragment[];
  readonly links: readonly SceneLink[];
  readonly junctions: readonly Point[];
  readonly nodes: readonly SceneNode[];
  readonly messages: readonly SceneMessage[];
  readonly texts: readonly NetworkText[];
  /** Labels without a free place. */
  readonly omitted: number;
}

/** A mark that the legend explains. */
export type NetworkSample =
  | { readonly type: 'node'; readonly role: NodeRole; readonly isDead: boolean }
  | { readonly type: 'message'; readonly purpose: MessagePurpose; readonly text: string }
  | { readonly type: 'swallowed' | 'lost' | 'fragment' | 'used' | 'tree' };

/** A mark of the legend with its place. */
export interface NetworkLegendEntry {
  readonly sample: NetworkSample;
  readonly at: Box;
}

/** A picture of a network with coordinates. */
export interface NetworkScene {
  readonly width: number;
  readonly height: number;
  /** The base of all font sizes and line widths. */
  readonly text: number;
  readonly panels: readonly ScenePanel[];
  readonly legend: readonly NetworkLegendEntry[];
  readonly texts: readonly NetworkText[];
}
