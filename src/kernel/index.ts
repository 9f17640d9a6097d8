/** Everything that an author of an algorithm needs: the definition, its fields and messages, its laws, its errors. */
export {
  type Algorithm,
  type AnyAlgorithm,
  defineAlgorithm,
  type Trigger,
} from './algorithm.ts';
export { type AlgorithmDescription, describeAlgorithm } from './algorithm-description.ts';
export type { Assumptions, Fault, Knowledge, Network, TimingModel } from './assumptions.ts';
export type { Context, Role, Verbs } from './context.ts';
export {
  AssumptionError,
  CapacityError,
  ElectionError,
  type ErrorDetails,
  HustingsError,
  InputError,
  ProtocolError,
  type Remedy,
} from './errors.ts';
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
export type {
  InvariantChoice,
  Invariants,
  NetworkInvariant,
  NetworkMessage,
  NetworkMoment,
  NetworkNode,
  NodeChange,
  NodeInvariant,
} from './invariant.ts';
export {
  bound,
  exact,
  floorLog2,
  harmonic,
  type Law,
  type LawCondition,
  type LawOf,
  type LawValue,
  type Measure,
  mean,
  obeys,
  type RunFacts,
} from './law.ts';
export type { SmallSet } from './machine/state-list.ts';
export {
  announcement,
  type Messages,
  type MessageType,
  message,
  type NamedField,
  type Received,
  type ReceivedAs,
  type Sent,
  upkeep,
} from './message.ts';
export type { PortLink } from './network/adjacency.ts';
export { Topology, type TopologyKind } from './network/topology.ts';
export { TOPOLOGY_FORMS } from './network/topology-names.ts';
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
export {
  formatEvent,
  formatMessage,
  type MessageLossReason,
  type Observer,
  type TracedMessage,
  type TraceEvent,
} from './trace.ts';
