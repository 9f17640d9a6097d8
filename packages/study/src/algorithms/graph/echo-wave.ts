/**
 * The state of an echo wave at one node: its parent, the number of neighbours heard from, and the children, which
 * have sent an echo. A wave sends one message in each direction of every link. When its initiator has heard from all
 * neighbours, the wave has reached all nodes. The links over which echoes came form a spanning tree.
 */
import { counter, NONE, port, portSet, type View } from '../../kernel/index.ts';
import { type Forwarder, forwardToOthers } from './neighbours.ts';

export const echoWave = {
  parent: port(),
  heard: counter(({ n }) => n - 1),
  children: portSet(),
};

type Wave = View<typeof echoWave>;

/** Leaves the current wave for that of the received explorer: its sender becomes the parent, and it is forwarded. */
export function joinWave(state: Wave, from: number, ctx: Forwarder): void {
  resetWave(state, from);
  forwardToOthers(from, ctx);
}

/** Starts a wave of the node's own, without a parent. */
export function beginWave(state: Wave): void {
  resetWave(state, NONE);
}

function resetWave(state: Wave, parent: number): void {
  state.parent = parent;
  state.heard = 0;
  state.children.clear();
}

/** Counts a message of the current wave. Returns true if all `neighbours` have sent one: the wave is complete here. */
export function receiveWave(state: Wave, neighbours: number): boolean {
  state.heard++;
  if (state.heard < neighbours) return false;
  state.heard = 0;
  return true;
}

/** Forwards a message down the spanning tree of the wave. */
export function forwardToChildren(state: Wave, ctx: Forwarder): void {
  for (const child of state.children) ctx.forward(child);
}
