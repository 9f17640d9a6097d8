/**
 * What pictures may show of a node beyond its role: whether it is passive, its phase, and the fragment that it belongs to.
 * An algorithm declares each as a function of a node's state. Nothing is inferred from the names of fields.
 */
import { ProtocolError } from './errors.ts';
import type { Fields } from './field.ts';
import type { SmallSet } from './machine/state-list.ts';

/** The state of a node as plain data, as traces and pictures have it: lists and sets are arrays. */
export type StateRecord<S extends Fields> = {
  readonly [K in keyof S]: S[K]['value'] extends number[] | SmallSet | undefined
    ? readonly number[]
    : Exclude<S[K]['value'], undefined>;
};

/** The optional declarations of an algorithm for pictures. Each is a pure function of the state of one node. */
export interface AppearanceDeclarations<S extends Fields = Fields> {
  /**
   * Whether the node no longer competes and only forwards messages, where the source has such nodes: a relay of Peterson
   * or Franklin, a passive node of Itai and Rodeh. Pictures draw it as a square. False for a leader.
   */
  passive?(state: StateRecord<S>): boolean;
  /**
   * The phase, round, level or term of the node, as a short text with its noun ('round 3'), or null before the first one.
   * Pictures write it beside the node and draw a band for each phase.
   */
  phase?(state: StateRecord<S>): string | null;
  /**
   * The name of the fragment that the node belongs to: a fragment of Gallager, Humblet and Spira, or the wave that a node
   * has joined. Nodes with the same name belong together. Null for a node that belongs to none. Pictures outline it.
   */
  fragment?(state: StateRecord<S>): string | null;
  /**
   * The ports of the node's links that belong to the tree of its fragment, if the algorithm builds one. A link belongs to
   * the tree if either end says so. Pictures draw it thick.
   */
  tree?(state: StateRecord<S>): readonly number[];
  /** The weight of a link by the ids at its ends, if the algorithm compares weights. Pictures write it on the link. */
  weight?(low: number, high: number): string;
}

/** An algorithm with what it declares for pictures. */
// biome-ignore lint/suspicious/noExplicitAny: the functions are contravariant in the algorithm's own state
export type DrawableAlgorithm = AppearanceDeclarations<any> & { readonly name: string };

/** What an algorithm declares about one state of a node. */
export interface Appearance {
  readonly passive: boolean;
  readonly phase: string | null;
  readonly fragment: string | null;
  readonly tree: readonly number[];
}

/** Evaluates the declarations of an algorithm for the fields of one node. */
export function appearanceOf(
  algorithm: DrawableAlgorithm,
  state: Readonly<Record<string, unknown>>,
): Appearance {
  const passive: unknown = algorithm.passive?.(state) ?? false;
  if (typeof passive !== 'boolean') refuse(algorithm, 'passive', 'true or false', passive);
  const tree: unknown = algorithm.tree?.(state) ?? [];
  if (!Array.isArray(tree)) refuse(algorithm, 'tree', 'a list of ports', tree);
  return {
    passive,
    phase: textOf(algorithm, 'phase', state),
    fragment: textOf(algorithm, 'fragment', state),
    tree,
  };
}

function textOf(
  algorithm: DrawableAlgorithm,
  key: 'phase' | 'fragment',
  state: Readonly<Record<string, unknown>>,
): string | null {
  const text: unknown = algorithm[key]?.(state) ?? null;
  if (text === null || (typeof text === 'string' && text !== '')) return text;
  return refuse(algorithm, key, 'a text or null', text);
}

function refuse({ name }: DrawableAlgorithm, key: string, expected: string, value: unknown): never {
  throw new ProtocolError(`algorithm ${name}: ${key} must return ${expected}, not ${JSON.stringify(value)}`);
}
