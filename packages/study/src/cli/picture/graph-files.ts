/** The files of `hustings check` that show one instance: its state graph, and the state machine of a node. */

import { type OutputFile, outputOf } from '@hustings/base/command/user-files';
import { type CheckOptions, formatDot, type StateGraph, stateGraph } from '../../checker/index.ts';
import type { PictureStyle } from '../../drawing/index.ts';
import type { AnyAlgorithm } from '../../kernel/index.ts';
import type { CheckFlags } from '../flags/check-flags.ts';
import { drawNodeMachine } from './machine-diagram.ts';
import { type PictureFile, pictureOf } from './picture-file.ts';

export class GraphFiles {
  private readonly dot: OutputFile | null;
  private readonly node: PictureFile | null;
  private readonly graph: StateGraph | null;

  /** Explores the graph before the search, so that one that is too large is refused at once. */
  constructor(
    flags: CheckFlags,
    algorithm: AnyAlgorithm,
    options: CheckOptions,
    private readonly style: PictureStyle,
  ) {
    this.dot = outputOf('dot', flags.dot);
    this.node = pictureOf('svg-node', flags.svgNode);
    this.graph = this.dot === null && this.node === null ? null : stateGraph(algorithm, options);
  }

  /** Returns what was written, a line each, after an empty line. */
  async write(): Promise<string[]> {
    const { dot, graph, node } = this;
    if (graph === null) return [];
    dot?.write(formatDot(graph));
    await node?.write(drawNodeMachine(graph, this.style));
    const size = `${graph.states.length} states, ${graph.edges.length} steps`;
    return [
      '',
      ...(dot === null ? [] : [`state graph: ${dot.path}, ${size}`]),
      ...(node === null ? [] : [`state machine: ${node.path}`]),
    ];
  }
}
