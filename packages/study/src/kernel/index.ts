/** Everything that an author of an algorithm needs: the definition, its fields and messages, its laws, its errors. */
export * from './algorithm.ts';
export { type AlgorithmDescription, describeAlgorithm } from './algorithm-description.ts';
export {
  type Appearance,
  type AppearanceDeclarations,
  appearanceOf,
  type DrawableAlgorithm,
  type StateRecord,
} from './appearance.ts';
export type { Assumptions, Fault, Knowledge, Network, TimingModel } from './assumptions.ts';
export type { CheckPreset, CheckPresets } from './check-preset.ts';
export type { Context, Role, Verbs } from './context.ts';
export * from './errors.ts';
export {
  type CounterOptions,
  choice,
  counter,
  counters,
  type Durability,
  type Field,
  type FieldKind,
  type Fields,
  flag,
  id,
  idSet,
  ids,
  type Limit,
  type ListOptions,
  MAX_WORD,
  NONE,
  port,
  portSet,
  ports,
  type Scale,
  type View,
} from './field.ts';
export type * from './invariant.ts';
export * from './law.ts';
export type { SmallSet } from './machine/state-list.ts';
export * from './measure.ts';
export * from './message.ts';
export type { PortLink } from './network/adjacency.ts';
export { Topology, type TopologyKind } from './network/topology.ts';
export { TOPOLOGY_FORMS } from './network/topology-names.ts';
export type * from './node-summary.ts';
export {
  integer,
  oneOf,
  onOff,
  type Param,
  type ParamLimit,
  type Params,
  type Setting,
  type Settings,
} from './params.ts';
export { Random } from './random.ts';
export * from './trace.ts';
