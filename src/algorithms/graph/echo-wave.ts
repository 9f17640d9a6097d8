/**
 * An echo wave at one node: whom it came from, how many neighbours have been heard, and who sent an echo. A wave sends
 * one message each way on every link; the node that began it hears from all when all have heard. The links on which
 * echoes came are a spanning tree.
 */
import { counter, NONE, port, portSet, type View } from '../../kernel/index.ts';
import { type Forwarder, forwardToOthers } from './neighbours.ts';

export const echoWave = {
  parent: port(),
  heard: counter(({ n }) => n - 1),
  children: portSet(),
};

type Wave = View<typeof echoWave>;

/** Leaves the wave that the node was in for the one in hand: its sender is the parent, and all others hear it next. */
export function joinWave(state: Wave, from: number, ctx: Forwarder): void {
  resetWave(state, from);
  forwardToOthers(from, ctx);
}

/** For a wave of the node's own: it has no parent. */
export function beginWave(state: Wave): void {
  resetWave(state, NONE);
}

function resetWave(state: Wave, parent: number): void {
  state.parent = parent;
  state.heard = 0;
  state.children.clear();
}

/** One more neighbour has been heard from; true when all `neighbours` have, and the wave is over here. */
export function hearsLast(state: Wave, neighbours: number): boolean {
  state.heard++;
  if (state.heard < neighbours) return false;
  state.heard = 0;
  return true;
}

/** Down the tree of the wave. */
export function forwardToChildren(state: Wave, ctx: Forwarder): void {
  for (const child of state.children) ctx.forward(child);
}
