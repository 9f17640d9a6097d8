/** `@hustings/cluster`: the algorithms between real processes. */

export type { LeaseCluster } from 'hustings';
export type * from 'hustings/internal/lease/store-interface';
export * from './detector/peer-detector.ts';
export * from './detector/phi-accrual.ts';
export type { RecoveryProgress } from './folder/recovery-guard.ts';
export type { GateTiming } from './gate/claim.ts';
export { type GateHost, QuorumGate, type QuorumGateOptions } from './gate/quorum-gate.ts';
export { quorumIncompatibility } from './gate/quorum-incompatibility.ts';
export type { SupportFrame } from './gate/support-frame.ts';
export { NO_SUPPORT, type Support } from './gate/supporter.ts';
export { ClusterNode, type ClusterNodeOptions, startNode } from './host/cluster-node.ts';
export type { FileOwner } from './host/file-owner.ts';
export { MemberRunsError } from './host/folder-lock.ts';
export { writeFirstToken } from './host/member-folder.ts';
export { MemberStoppedError } from './host/member-stopped-error.ts';
export { type ListChanger, type NodeServer, serveNode } from './host/node-server.ts';
export type * from './host/node-status.ts';
export { RecordFile } from './host/record-file.ts';
export * from './host/state-file.ts';
export { type StepMessage, type StepReader, StepStream } from './host/step-stream.ts';
export { TraceFileError } from './host/trace-file.ts';
export * from './init/cluster-files.ts';
export { type Cluster, type ClusterOptions, openCluster } from './leases/open-cluster.ts';
export type { HostAndPort } from './member-list/address.ts';
export {
  type ClusterMember,
  checkMemberList,
  type MemberList,
  MemberListError,
  memberListDigest,
  parseMemberList,
} from './member-list/member-list.ts';
export {
  readMemberRecord,
  type StoredList,
  saveListRecord,
  startingRecord,
  writeMemberRecord,
} from './member-list/member-record.ts';
export * from './membership/list-change.ts';
export * from './membership/list-record.ts';
export * from './membership/members-frame.ts';
export * from './membership/membership.ts';
export {
  type MergedRecording,
  mergeRecording,
  type RecordedEvent,
  type RecordedStep,
} from './record/merge.ts';
export type { BeginLine, StepLine, TracePlace, TraceText } from './record/parse-trace.ts';
export { replayRecording } from './record/replay-recording.ts';
export type * from './record/run-report.ts';
export { formatShiViz } from './record/shiviz.ts';
export * from './record/trace-line.ts';
export type { IsUpkeep } from './record/upkeep-step.ts';
export type { MemberRecord, MemberStore } from './runtime/durable-outbox.ts';
export type { MemberClock } from './runtime/member-clock.ts';
export type { ListKeeper, MemberOptions } from './runtime/member-options.ts';
export { MemberRuntime } from './runtime/member-runtime.ts';
export type * from './runtime/member-status.ts';
export * from './transport.ts';
export type { Epoch } from './view/clique.ts';
export type { MemberEdge } from './view/overlay.ts';
export type { ClusterSettings } from './wire/cluster-settings.ts';
export { ClusterListenError } from './wire/listener.ts';
export type { RefusalReason, WireEvent } from './wire/refusal.ts';
export type { ClusterSecurity } from './wire/security.ts';
export type { FolderCheck } from './wire/session.ts';
export { TcpTransport } from './wire/tcp-transport.ts';
export type { WireOptions } from './wire/wire-options.ts';
