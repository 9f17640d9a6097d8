/** For programs that run an algorithm without the simulator or the checker: the machine, its memory, its network. */
export * from './decisions.ts';
export { checkDefinition } from './definition.ts';
// The types of an author are those of a driver too: signatures below mention them.
export type * from './index.ts';
export type { CustomCounters } from './machine/custom-counters.ts';
export { ListTable } from './machine/list-table.ts';
export { type HandlerCalls, Machine, type MessageHandler } from './machine/machine.ts';
export {
  address,
  MessageBuffer,
  portOf,
  RECORD_HEADER,
  receiverOf,
  typeOf,
} from './machine/message-buffer.ts';
export { MessageCodec, type MessageCounts, type MessageView } from './machine/message-codec.ts';
export { type Environment, NodeContext } from './machine/node-context.ts';
export { type Cursor, RecordLayout } from './machine/record-layout.ts';
export type { ListRule } from './machine/state-list.ts';
export { StateTable } from './machine/state-table.ts';
export { AWAKE, DEAD, STARTED } from './machine/status.ts';
export { checkNetwork, refuseAnonymous } from './network/network-fit.ts';
export {
  buildTopology,
  nodesOf,
  parseTopologyName,
  type TopologyOptions,
  type TopologySpec,
} from './network/topology-names.ts';
export { changedParams, rangeOf, resolveParams } from './params.ts';
export * from './setup.ts';
export {
  type Configuration,
  type FaultBudget,
  type InFlightMessage,
  nextToArrive,
} from './world/configuration.ts';
export { History } from './world/history.ts';
export { narrateStep } from './world/narration.ts';
export type { NodeSnapshot } from './world/node-step.ts';
export { type NodeView, nodeViews } from './world/node-view.ts';
export { DrawSequences } from './world/random-outcomes.ts';
export * from './world/rules.ts';
export * from './world/step.ts';
export { World } from './world/world.ts';
